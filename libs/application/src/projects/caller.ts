import type { Scope } from '@domain/project/scope';
import type { RateLimits } from '@ports/settings.port';

/** Who an API key speaks for, and what the project allows. */
export interface Caller {
  readonly projectId: string;
  readonly scopes: readonly Scope[];
  /** The project's own value, else the operator's. */
  readonly replyWindowMs: number;
  readonly rateLimits: RateLimits;
}
