import type { NetworkErrorCode } from './outcome.js';
import type { FailureReason } from './retry-policy.js';

export const DELIVERY_TRIGGERS = ['event', 'replay', 'test'] as const;
export type DeliveryTrigger = (typeof DELIVERY_TRIGGERS)[number];

export const CANCEL_REASONS = ['endpoint_disabled', 'endpoint_deleted', 'superseded'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** An emitted event as receivers get it. */
export interface FrozenEvent {
  readonly eventId: string;
  readonly projectId: string;
  readonly eventType: string;
  readonly appointmentId: string;
  readonly emittedAt: number;
  /** The bytes of every attempt and replay. */
  readonly body: string;
  /** Test events stay out of the log of events. */
  readonly test: boolean;
}

export interface NewDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly trigger: DeliveryTrigger;
  readonly replayOf: string | null;
  readonly dueAt: number;
  /** When the pointer must have been lost, if nothing was heard by then. */
  readonly overdueAt: number;
  readonly maxAttempts: number;
  /** How often its endpoint had been disabled by then; not noted with what was scheduled long ago. */
  readonly disablings?: number;
}

/** What one POST came to. */
export interface AttemptResult {
  readonly attemptId: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly startedAt: number;
  /** Null when nobody lived to measure it. */
  readonly durationMs: number | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string | null;
  readonly bodyTruncated: boolean;
  readonly errorCode: NetworkErrorCode | null;
  readonly remoteIp: string | null;
}

interface Happened {
  readonly at: number;
  readonly deliveryId: string;
}

/** What happens in an event's `deliveries-…` stream. */
export type DeliveryEvent =
  | ({ readonly type: 'EventFrozen'; readonly at: number } & FrozenEvent)
  | ({ readonly type: 'DeliveryScheduled'; readonly at: number } & Pick<
      FrozenEvent,
      'projectId' | 'eventType' | 'appointmentId'
    > &
      NewDelivery)
  | (Happened & {
      readonly type: 'DeliveryClaimed';
      readonly attemptId: string;
      readonly attempt: number;
      readonly leaseUntil: number;
      readonly url: string;
    })
  | (Happened & { readonly type: 'DeliverySucceeded'; readonly result: AttemptResult })
  | (Happened & {
      readonly type: 'DeliveryRetryScheduled';
      readonly result: AttemptResult;
      readonly dueAt: number;
      readonly overdueAt: number;
    })
  | (Happened & { readonly type: 'DeliveryFailed'; readonly result: AttemptResult; readonly reason: FailureReason })
  /** A replay took over: the earlier delivery makes no further attempt. */
  | (Happened & { readonly type: 'DeliverySuperseded'; readonly by: string })
  | (Happened & { readonly type: 'DeliveryCancelled'; readonly result: AttemptResult | null; readonly reason: CancelReason })
  /** The event has left its window: each delivery goes, and then the stream. */
  | (Happened & { readonly type: 'DeliveryExpired' })
  | { readonly type: 'DeliveriesExpired'; readonly at: number };
