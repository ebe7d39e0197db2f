import type { RetrySchedule } from '@domain/delivery/retry-schedule';

export interface RateLimits {
  /** Requests a second; 0 turns the class off. */
  readonly read: number;
  readonly write: number;
  readonly messages: number;
}

/** What the operator decided at the start (runtime contract, Settings), as far as rules and handlers need it. */
export abstract class Settings {
  /** The synchronous window of a message post, for projects that set none. */
  abstract readonly replyWindowMs: number;
  /** Idle time before a conversation ends. */
  abstract readonly conversationIdleMs: number;
  /** For projects that set none. */
  abstract readonly rateLimits: RateLimits;
  /** When attempts are made. A delivery keeps the number of attempts that it was scheduled with. */
  abstract readonly retrySchedule: RetrySchedule;
  /** One deadline over DNS, connect, TLS and response headers of a POST. */
  abstract readonly webhookTimeoutMs: number;
  /** Whether an endpoint may have an http: URL. */
  abstract readonly webhookAllowHttp: boolean;
  /** Address ranges that webhooks may be sent to though they are not public. */
  abstract readonly webhookAllowCidrs: readonly string[];
}
