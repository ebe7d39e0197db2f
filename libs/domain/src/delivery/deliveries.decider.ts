import type { Decider } from '../kernel/decider.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import { isFinished, isWaiting, type Delivery } from './delivery.js';
import { type Addressee, allFinished, deliveryOf, evolveAll, type EventDeliveries, isForeign } from './event-deliveries.js';
import type { BulkReplay } from './bulk-replay.js';
import { cancelledDelivery, outcomeOf } from './cancelled-delivery.js';
import { decidedAt, dueIn } from './decided.js';
import { expiredDeliveries } from './expired-deliveries.js';
import { keptResult } from './kept-result.js';
import type { AttemptResult, CancelReason, DeliveryEvent, FrozenEvent, NewDelivery } from './delivery.events.js';
import { pausedDelivery, resumedDelivery } from './paused-delivery.js';
import { isSetBack, nextStep, OVERDUE_AFTER_MS } from './retry-policy.js';
import { replay, replayEvent, replayInBulk, supersede, type Superseding } from './replays.js';
import { retryAfterMs } from './retry-after.js';
import type { RetrySchedule } from './retry-schedule.js';
import { scheduled } from './scheduled.js';

const GONE = 410;

export type DeliveryCommand =
  | {
      readonly type: 'FreezeEvent';
      readonly at: number;
      readonly event: FrozenEvent;
      readonly deliveries: readonly NewDelivery[];
    }
  | {
      readonly type: 'ClaimDelivery';
      readonly at: number;
      readonly deliveryId: string;
      /** From the pointer. If the delivery does not belong to it, nothing is claimed. */
      readonly about: Addressee;
      readonly attemptId: string;
      /** This worker's earlier claims of unknown outcome: nothing was sent under them. */
      readonly unacknowledged: readonly string[];
      readonly leaseMs: number;
      /** Attempts begun before this instant belong to a dead process. */
      readonly voidBefore: number;
      readonly url: string;
      readonly obstacle: CancelReason | null;
      /** Whether the endpoint is paused: what would be due then waits, tests aside. */
      readonly isPaused: boolean;
      readonly disablings: number;
      readonly schedule: RetrySchedule;
    }
  | {
      readonly type: 'RecordOutcome';
      readonly at: number;
      readonly deliveryId: string;
      readonly result: AttemptResult;
      readonly obstacle: CancelReason | null;
      /** Whether the endpoint is paused: what would be due then waits, tests aside. */
      readonly isPaused: boolean;
      readonly disablings: number;
      /** Whether a 410 disables the endpoint. */
      readonly disableOnGone: boolean;
      readonly schedule: RetrySchedule;
      readonly chance: number;
    }
  | {
      /** This machine could not make the attempt: it is repeated after `waitMs` under the same number. */
      readonly type: 'PostponeDelivery';
      readonly at: number;
      readonly deliveryId: string;
      readonly attemptId: string;
      readonly waitMs: number;
    }
  | { readonly type: 'ReplayDelivery'; readonly at: number; readonly deliveryId: string; readonly replay: NewDelivery }
  | {
      /** Replays the event at the endpoints of these, whether or not they have a delivery. */
      readonly type: 'ReplayEvent';
      readonly at: number;
      readonly replays: readonly NewDelivery[];
    }
  /** Decided by `bulkVerdict`; does nothing where that is not to replay. */
  | ({ readonly type: 'ReplayInBulk'; readonly at: number } & BulkReplay)
  | ({ readonly type: 'SupersedeDelivery'; readonly at: number } & Superseding)
  /** Its endpoint is paused: what waits for its next attempt is due no more. */
  | { readonly type: 'PauseDelivery'; readonly at: number; readonly deliveryId: string }
  /** Makes what was paused due now. */
  | { readonly type: 'ResumeDelivery'; readonly at: number; readonly deliveryId: string }
  | { readonly type: 'CancelDelivery'; readonly at: number; readonly deliveryId: string; readonly reason: CancelReason }
  /** As a client asks: refused where an attempt is under way, and where the delivery succeeded or failed. */
  | { readonly type: 'CancelOnRequest'; readonly at: number; readonly deliveryId: string }
  | { readonly type: 'ExpireDeliveries'; readonly at: number };

export const deliveriesDecider: Decider<EventDeliveries, DeliveryCommand, DeliveryEvent> = {
  initial: { event: null, deliveries: [], expired: false, lastEventAt: 0, length: 0 },
  decide(command, state) {
    const at = Math.max(command.at, state.lastEventAt);
    switch (command.type) {
      case 'FreezeEvent':
        return freeze(command, state, at);
      case 'ClaimDelivery':
        return claim(command, state, at);
      case 'RecordOutcome':
        return recordOutcome(command, state, at);
      case 'PostponeDelivery':
        return postpone(command, state, at);
      case 'ReplayDelivery':
        return replay(command, state, at);
      case 'ReplayEvent':
        return replayEvent(command, state, at);
      case 'ReplayInBulk':
        return replayInBulk(command, state, at);
      case 'SupersedeDelivery':
        return supersede(command, state, at);
      case 'PauseDelivery': {
        const delivery = deliveryOf(state, command.deliveryId);
        return delivery && isWaiting(delivery) ? pausedDelivery(delivery, state, command.at, at) : [];
      }
      case 'ResumeDelivery': {
        const delivery = deliveryOf(state, command.deliveryId);
        return delivery ? resumedDelivery(delivery, command.at, at) : [];
      }
      case 'CancelDelivery': {
        const delivery = deliveryOf(state, command.deliveryId);
        return delivery && isWaiting(delivery) ? [cancelledDelivery(delivery, command.reason, null, at)] : [];
      }
      case 'CancelOnRequest':
        return cancelOnRequest(command, state, at);
      case 'ExpireDeliveries':
        return expiredDeliveries(state, at);
    }
  },
  evolve: (state, event) => evolveAll(state, [event]),
  evolveAll,
  isOver: allFinished,
};

type Command<Type extends DeliveryCommand['type']> = Extract<DeliveryCommand, { type: Type }>;

function freeze({ event, deliveries }: Command<'FreezeEvent'>, state: EventDeliveries, at: number): DeliveryEvent[] {
  if (state.event) return [];
  return [{ type: 'EventFrozen', at, ...event }, ...deliveries.map((delivery) => scheduled(event, delivery, at))];
}

/**
 * Exactly one of several concurrent claims gets the attempt while its lease is valid. `voidBefore` voids leases of earlier processes
 * (embedded engine). A claim before the due time is refused; if the clock was set back to before the wait began, the wait starts again. A
 * worker's own claim of unknown outcome is replaced: its attempt has not begun.
 */
function claim(command: Command<'ClaimDelivery'>, state: EventDeliveries, at: number): DeliveryEvent[] {
  const delivery = deliveryOf(state, command.deliveryId);
  if (!delivery || isFinished(delivery) || isForeign(state, command.deliveryId, command.about)) return [];
  const isOwn = delivery.claim !== null && command.unacknowledged.includes(delivery.claim.attemptId);
  const isOfAnother = delivery.claim !== null && !isOwn;
  const cut = isOfAnother ? cutAttempt(delivery, command, at) : [];
  if (isOfAnother && cut.length === 0) return [];
  if (cut.some(({ type }) => type !== 'DeliveryRetryScheduled')) return cut;
  if (!isDue(delivery, command.at, at)) return rescheduled(delivery, command.at, at);
  const obstacle = obstacleTo(delivery, command);
  if (obstacle) return [...cut, cancelledDelivery(delivery, obstacle, null, at)];
  const wait = command.isPaused ? pausedDelivery(delivery, state, command.at, at) : [];
  if (delivery.paused || wait.length > 0) return [...cut, ...wait];
  const { attemptId, leaseMs, url, deliveryId } = command;
  const attempt = delivery.attemptCount + (isOwn ? 0 : 1);
  const leaseUntil = command.at + leaseMs;
  return [...cut, { type: 'DeliveryClaimed', at, ...decidedAt(command.at, at), deliveryId, attemptId, attempt, leaseUntil, url }];
}

function rescheduled({ id: deliveryId, dueAt, decidedAt: before }: Delivery, now: number, at: number): DeliveryEvent[] {
  if (dueAt === null || !isSetBack(now, before)) return [];
  return [{ type: 'DeliveryRescheduled', at, ...decidedAt(now, at), deliveryId, ...dueIn(now, Math.max(0, dueAt - before)) }];
}

/** Deliveries scheduled before the endpoint was disabled stay cancelled when it is enabled again. */
function obstacleTo({ disablings: before }: Delivery, { obstacle, disablings }: Command<'ClaimDelivery' | 'RecordOutcome'>) {
  return obstacle ?? (before !== null && disablings > before ? 'endpoint_disabled' : null);
}

/** A first attempt is also due by the stream's time, which survives a clock that was set back. */
function isDue({ dueAt, attemptCount }: Delivery, now: number, at: number): boolean {
  return dueAt === null || dueAt <= (attemptCount === 0 ? at : now);
}

/** An attempt cut off by the death of its process counts; the next is due at once. */
function cutAttempt(delivery: Delivery, command: Command<'ClaimDelivery'>, at: number): DeliveryEvent[] {
  const { claim: under } = delivery;
  if (!under || isLiving(under, delivery.decidedAt, command)) return [];
  const result: AttemptResult = {
    attemptId: under.attemptId,
    attempt: delivery.attemptCount,
    startedAt: under.startedAt,
    durationMs: null,
    status: null,
    headers: null,
    body: null,
    bodyTruncated: false,
    errorCode: 'network_error',
    remoteIp: null,
  };
  const { supersededBy, attemptCount, maxAttempts } = delivery;
  if (supersededBy) return [cancelledDelivery(delivery, 'superseded', result, at)];
  if (attemptCount >= maxAttempts) {
    return [{ type: 'DeliveryFailed', at, ...outcomeOf(delivery), result, reason: 'attempts_exhausted' }];
  }
  const decided = decidedAt(command.at, at);
  return [{ type: 'DeliveryRetryScheduled', at, ...decided, ...outcomeOf(delivery), result, ...dueIn(command.at, 0) }];
}

/** A lease from before the clock was set back could last for hours: it counts as over. */
function isLiving(
  { leaseUntil, startedAt }: NonNullable<Delivery['claim']>,
  begunAt: number,
  { at: now, voidBefore }: Command<'ClaimDelivery'>,
): boolean {
  return leaseUntil > now && startedAt >= voidBefore && !isSetBack(now, begunAt);
}

function recordOutcome(command: Command<'RecordOutcome'>, state: EventDeliveries, at: number): DeliveryEvent[] {
  const { schedule, chance } = command;
  const delivery = deliveryOf(state, command.deliveryId);
  if (delivery?.claim?.attemptId !== command.result.attemptId) return [];
  const { attemptCount: attempt, maxAttempts, firstStartedAt } = delivery;
  const result = keptResult(command.result, maxAttempts);
  const outcome =
    result.status === null
      ? ({ kind: 'unreached', error: result.errorCode ?? 'network_error' } as const)
      : ({ kind: 'answered', status: result.status } as const);
  const times = { firstStartedAt: firstStartedAt ?? result.startedAt, endedAt: command.at };
  const asked = retryAfterMs(result, command.at);
  const step = nextStep(schedule, { attempt, maxAttempts, outcome, ...times, chance, retryAfterMs: asked });
  const about = outcomeOf(delivery);
  if (step.kind === 'succeed') return [{ type: 'DeliverySucceeded', at, ...about, result }];
  if (step.kind === 'fail') {
    const disabling = command.disableOnGone && result.status === GONE ? { disablesEndpoint: true as const } : {};
    return [{ type: 'DeliveryFailed', at, ...about, result, reason: step.reason, ...disabling }];
  }
  const obstacle = delivery.supersededBy ? 'superseded' : obstacleTo(delivery, command);
  if (obstacle) return [cancelledDelivery(delivery, obstacle, result, at)];
  const { dueAt } = step;
  const decided = decidedAt(command.at, at);
  const wait = command.isPaused ? pausedDelivery(delivery, state, command.at, at) : [];
  return [
    { type: 'DeliveryRetryScheduled', at, ...decided, ...about, result, dueAt, overdueAt: dueAt + OVERDUE_AFTER_MS },
    ...wait,
  ];
}

function postpone(command: Command<'PostponeDelivery'>, state: EventDeliveries, at: number): DeliveryEvent[] {
  const { deliveryId, attemptId, waitMs, at: now } = command;
  const delivery = deliveryOf(state, deliveryId);
  if (delivery?.claim?.attemptId !== attemptId) return [];
  if (delivery.supersededBy) return [cancelledDelivery(delivery, 'superseded', null, at)];
  return [{ type: 'DeliveryPostponed', at, ...decidedAt(now, at), deliveryId, attemptId, ...dueIn(now, waitMs) }];
}

function cancelOnRequest({ deliveryId }: Command<'CancelOnRequest'>, state: EventDeliveries, at: number): DeliveryEvent[] {
  const delivery = deliveryOf(state, deliveryId);
  if (!delivery) throw resourceMissing('delivery');
  const { status } = delivery;
  if (status === 'cancelled') return [];
  if (isWaiting(delivery)) return [cancelledDelivery(delivery, 'cancelled_by_user', null, at)];
  const extras = { current_status: status };
  throw new DomainError('delivery_not_cancellable', `A delivery that is ${status} cannot be cancelled.`, { extras });
}
