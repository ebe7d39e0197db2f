import type { NetworkErrorCode } from './outcome.js';
import type { FailureReason } from './retry-policy.js';

export const DELIVERY_TRIGGERS = ['event', 'replay', 'test'] as const;
export type DeliveryTrigger = (typeof DELIVERY_TRIGGERS)[number];

export const CANCEL_REASONS = ['endpoint_disabled', 'endpoint_deleted', 'superseded'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** An emitted event as it is sent to receivers. */
export interface FrozenEvent {
  readonly eventId: string;
  readonly projectId: string;
  readonly eventType: string;
  readonly appointmentId: string;
  readonly emittedAt: number;
  /** Every attempt and replay sends this same body. */
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
  /** From then on the sweep may publish another pointer, unless an attempt began before. */
  readonly overdueAt: number;
  readonly maxAttempts: number;
  /** How often the endpoint had been disabled when this was scheduled; absent in events of earlier versions. */
  readonly disablings?: number;
}

/** The result of one POST. */
export interface AttemptResult {
  readonly attemptId: string;
  /** Attempts are counted from 1. */
  readonly attempt: number;
  readonly startedAt: number;
  /** Null when the process died before it measured it. */
  readonly durationMs: number | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Whether some of the headers are not kept; absent in events of earlier versions. */
  readonly headersTruncated?: boolean;
  readonly body: string | null;
  readonly bodyTruncated: boolean;
  readonly errorCode: NetworkErrorCode | null;
  readonly remoteIp: string | null;
}

interface Happened {
  readonly at: number;
  readonly deliveryId: string;
}

/** What became of a delivery's attempt, or of its wait. */
interface Outcome extends Happened {
  /** Where it was to go; absent in events of earlier versions. */
  readonly endpointId?: string;
}

/** An event that says until when something lasts. */
interface Decided extends Happened {
  /** The clock's time, from which that was counted; absent where it is `at`, and in events of earlier versions. */
  readonly decidedAt?: number;
}

/** The events of a `deliveries-…` stream. */
export type DeliveryEvent =
  | ({ readonly type: 'EventFrozen'; readonly at: number } & FrozenEvent)
  | ({ readonly type: 'DeliveryScheduled'; readonly at: number } & Pick<
      FrozenEvent,
      'projectId' | 'eventType' | 'appointmentId'
    > &
      NewDelivery)
  | (Decided & {
      readonly type: 'DeliveryClaimed';
      readonly attemptId: string;
      readonly attempt: number;
      readonly leaseUntil: number;
      readonly url: string;
    })
  | (Outcome & { readonly type: 'DeliverySucceeded'; readonly result: AttemptResult })
  | (Decided &
      Outcome & {
        readonly type: 'DeliveryRetryScheduled';
        readonly result: AttemptResult;
        readonly dueAt: number;
        readonly overdueAt: number;
      })
  /** The clock was set back to before the wait began: the wait is counted anew. */
  | (Decided & { readonly type: 'DeliveryRescheduled'; readonly dueAt: number; readonly overdueAt: number })
  /** This machine could not make the attempt, which does not count: it is made again soon. */
  | (Decided & {
      readonly type: 'DeliveryPostponed';
      readonly attemptId: string;
      readonly dueAt: number;
      readonly overdueAt: number;
    })
  | (Outcome & { readonly type: 'DeliveryFailed'; readonly result: AttemptResult; readonly reason: FailureReason })
  /** A replay replaces this delivery, which makes no further attempt. */
  | (Happened & { readonly type: 'DeliverySuperseded'; readonly by: string })
  | (Outcome & { readonly type: 'DeliveryCancelled'; readonly result: AttemptResult | null; readonly reason: CancelReason })
  /** The event has left its window: each delivery expires, then the stream. */
  | (Happened & { readonly type: 'DeliveryExpired' })
  | { readonly type: 'DeliveriesExpired'; readonly at: number };
