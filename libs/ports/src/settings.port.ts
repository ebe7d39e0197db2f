import type { RetrySchedule } from '@domain/delivery/retry-schedule';

export interface RateLimits {
  /** Requests a second; 0 turns the limit off. */
  readonly read: number;
  readonly write: number;
  readonly messages: number;
}

/** Where issues are posted. */
export interface OperatorWebhook {
  readonly url: string;
  /** `whsec_` and Base64. */
  readonly secret: string;
}

/** The operator's settings that rules and handlers need. */
export abstract class Settings {
  /** The synchronous window of a message post, unless the project sets one. */
  abstract readonly replyWindowMs: number;
  abstract readonly conversationIdleMs: number;
  /** The rate limits, unless the project sets some. */
  abstract readonly rateLimits: RateLimits;
  /** The waits before attempts. A delivery keeps the number of attempts it was scheduled with. */
  abstract readonly retrySchedule: RetrySchedule;
  /** The deadline of a POST over DNS, connect, TLS and response headers. */
  abstract readonly webhookTimeoutMs: number;
  /** On `hold` no attempt is made or counted; everything else continues. */
  abstract readonly webhookDelivery: 'on' | 'hold';
  /** How long an endpoint may fail before it is paused; null: for ever. */
  abstract readonly webhookAutoPauseAfterMs: number | null;
  abstract readonly webhookAllowHttp: boolean;
  /** Non-public address ranges that webhooks may be sent to. */
  abstract readonly webhookAllowCidrs: readonly string[];
  /** Null: issues are not posted. */
  abstract readonly operatorWebhook: OperatorWebhook | null;
}
