import type { AttemptTimings } from './attempt-timings.js';
import type { NetworkErrorCode } from './outcome.js';
import type { FailureReason } from './retry-policy.js';

export const DELIVERY_TRIGGERS = ['event', 'replay', 'bulk_replay', 'test'] as const;
export type DeliveryTrigger = (typeof DELIVERY_TRIGGERS)[number];

export const CANCEL_REASONS = [
  'endpoint_disabled',
  'endpoint_deleted',
  'superseded',
  'cancelled_by_user',
  'event_expired',
] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

export interface FrozenEvent {
  readonly eventId: string;
  readonly projectId: string;
  readonly eventType: string;
  readonly appointmentId: string;
  readonly emittedAt: number;
  readonly body: string;
  /** Test events are not in the log of events. */
  readonly test: boolean;
}

export interface NewDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly trigger: DeliveryTrigger;
  readonly replayOf: string | null;
  readonly dueAt: number;
  /** After this the sweep may publish another pointer, unless an attempt has begun. */
  readonly overdueAt: number;
  readonly maxAttempts: number;
  /** How often the endpoint had been disabled at scheduling; absent in earlier versions. */
  readonly disablings?: number;
  /** Its endpoint was paused at scheduling, so it waits for the resumption. Absent means it was not. */
  readonly paused?: true;
}

export interface AttemptResult {
  readonly attemptId: string;
  readonly attempt: number;
  readonly startedAt: number;
  /** Null if the process died first. */
  readonly durationMs: number | null;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Whether headers were dropped; absent in earlier versions. */
  readonly headersTruncated?: boolean;
  readonly body: string | null;
  readonly bodyTruncated: boolean;
  readonly errorCode: NetworkErrorCode | null;
  readonly remoteIp: string | null;
  /** As sent, values of custom headers masked; null where nothing was sent, absent in earlier versions. */
  readonly requestHeaders?: Readonly<Record<string, string>> | null;
  /** Null where the process died first; absent in earlier versions. */
  readonly timings?: AttemptTimings | null;
}

interface Happened {
  readonly at: number;
  readonly deliveryId: string;
}

interface Outcome extends Happened {
  readonly endpointId?: string;
}

interface Decided extends Happened {
  /** The clock's time at the decision; absent if it equals `at`, and in earlier versions. */
  readonly decidedAt?: number;
}

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
  | (Decided & { readonly type: 'DeliveryRescheduled'; readonly dueAt: number; readonly overdueAt: number })
  | (Decided & {
      readonly type: 'DeliveryPostponed';
      readonly attemptId: string;
      readonly dueAt: number;
      readonly overdueAt: number;
    })
  /** Its endpoint is paused: it is due no more until it is resumed. An attempt that was claimed and not begun is given up. */
  | (Decided & { readonly type: 'DeliveryPaused'; readonly projectId: string; readonly endpointId: string })
  | (Decided & { readonly type: 'DeliveryResumed'; readonly dueAt: number; readonly overdueAt: number })
  | (Outcome & {
      readonly type: 'DeliveryFailed';
      readonly result: AttemptResult;
      readonly reason: FailureReason;
      /** The answer was 410, and the endpoint was to be disabled by one; else absent. */
      readonly disablesEndpoint?: true;
    })
  /** A replay replaces this delivery, which makes no further attempt. */
  | (Happened & { readonly type: 'DeliverySuperseded'; readonly by: string })
  | (Outcome & { readonly type: 'DeliveryCancelled'; readonly result: AttemptResult | null; readonly reason: CancelReason })
  /** The event's window is over: each delivery expires, then the stream. */
  | (Happened & { readonly type: 'DeliveryExpired' })
  | { readonly type: 'DeliveriesExpired'; readonly at: number };
