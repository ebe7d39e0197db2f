import type { RetrySchedule } from '@domain/delivery/retry-schedule';

export interface RateLimits {
  /** Requests a second; 0 turns the limit off. */
  readonly read: number;
  readonly write: number;
  readonly messages: number;
}

/** The operator's settings (runtime contract, Settings), as far as rules and handlers need them. */
export abstract class Settings {
  /** The synchronous window of a message post, for projects that set none. */
  abstract readonly replyWindowMs: number;
  /** Idle time before a conversation ends. */
  abstract readonly conversationIdleMs: number;
  /** The rate limits of projects that set none. */
  abstract readonly rateLimits: RateLimits;
  /** The waits before attempts. A delivery keeps the number of attempts that it was scheduled with. */
  abstract readonly retrySchedule: RetrySchedule;
  /** The deadline of a POST over DNS, connect, TLS and response headers. */
  abstract readonly webhookTimeoutMs: number;
  /** Whether webhooks are sent. On `hold` no attempt is made or counted: deliveries stay as they are, and all else goes on. */
  abstract readonly webhookDelivery: 'on' | 'hold';
  /** Whether an endpoint may have an http: URL. */
  abstract readonly webhookAllowHttp: boolean;
  /** Address ranges, not public, that webhooks may be sent to. */
  abstract readonly webhookAllowCidrs: readonly string[];
}
