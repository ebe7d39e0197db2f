import type { Scope } from '@domain/project/scope';
import type { RateLimits } from '@ports/settings.port';

/** The project and the rights of an API key. */
export interface Caller {
  readonly projectId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** The project's setting, else the operator's; `rateLimits` too. */
  readonly replyWindowMs: number;
  readonly rateLimits: RateLimits;
}
