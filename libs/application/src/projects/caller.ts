import type { Scope } from '@domain/project/scope';
import type { RateLimits } from '@ports/settings.port';

export interface Caller {
  readonly projectId: string;
  /** Null for an administrator. */
  readonly keyId: string | null;
  readonly scopes: readonly Scope[];
  /** The project's setting, else the operator's; `rateLimits` too. */
  readonly replyWindowMs: number;
  readonly rateLimits: RateLimits;
}
