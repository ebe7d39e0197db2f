import type { Decider } from '../kernel/decider.js';
import { eventExpired } from '../event/event-window.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import { isFinished, isWaiting, type Delivery } from './delivery.js';
import { type Addressee, allFinished, deliveryOf, evolveAll, type EventDeliveries, isForeign } from './event-deliveries.js';
import { keptResult } from './kept-result.js';
import type { AttemptResult, CancelReason, DeliveryEvent, FrozenEvent, NewDelivery } from './delivery.events.js';
import { isSetBack, nextStep, OVERDUE_AFTER_MS } from './retry-policy.js';
import type { RetrySchedule } from './retry-schedule.js';

/**
 * The maximum number of deliveries of one event: far more than replays produce, few enough for memory and a response's
 * time.
 */
const MAX_DELIVERIES = 10_000;

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
      /** What the topic's message says that the delivery belongs to. If it belongs to something else, nothing is claimed. */
      readonly about: Addressee;
      readonly attemptId: string;
      /** Attempt ids of this worker's earlier claims that may be stored, though none was acknowledged: nothing was sent under them. */
      readonly unacknowledged: readonly string[];
      readonly leaseMs: number;
      /** Attempts that began before this instant belong to a dead process. */
      readonly voidBefore: number;
      readonly url: string;
      /** The reason that forbids further attempts; null when none does. */
      readonly obstacle: CancelReason | null;
      /** How many times the endpoint has been disabled. */
      readonly disablings: number;
      readonly schedule: RetrySchedule;
    }
  | {
      readonly type: 'RecordOutcome';
      readonly at: number;
      readonly deliveryId: string;
      readonly result: AttemptResult;
      readonly obstacle: CancelReason | null;
      readonly disablings: number;
      readonly schedule: RetrySchedule;
      readonly chance: number;
    }
  | {
      /** This machine could not make the attempt: it is made again after `waitMs`, under the same number. */
      readonly type: 'PostponeDelivery';
      readonly at: number;
      readonly deliveryId: string;
      readonly attemptId: string;
      readonly waitMs: number;
    }
  | { readonly type: 'ReplayDelivery'; readonly at: number; readonly deliveryId: string; readonly replay: NewDelivery }
  | { readonly type: 'CancelDelivery'; readonly at: number; readonly deliveryId: string; readonly reason: CancelReason }
  | { readonly type: 'ExpireDeliveries'; readonly at: number };

/** Decides about all deliveries of one event. */
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
      case 'CancelDelivery': {
        const delivery = deliveryOf(state, command.deliveryId);
        return delivery && isWaiting(delivery) ? [cancelled(delivery, command.reason, null, at)] : [];
      }
      case 'ExpireDeliveries':
        return expire(state, at);
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
 * Exactly one of several concurrent claims gets the attempt while its lease is valid. An embedded engine voids the
 * leases of earlier processes by `voidBefore`. A claim before the due time is refused, and where the clock was set back to before
 * the wait began, the wait is counted anew. A claim of the same worker that it was not told of is replaced: its attempt has not begun.
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
  if (obstacle) return [...cut, cancelled(delivery, obstacle, null, at)];
  const { attemptId, leaseMs, url, deliveryId } = command;
  const attempt = delivery.attemptCount + (isOwn ? 0 : 1);
  const leaseUntil = command.at + leaseMs;
  return [...cut, { type: 'DeliveryClaimed', at, ...decidedAt(command.at, at), deliveryId, attemptId, attempt, leaseUntil, url }];
}

/** Only where the stream's own time, which never goes back, is ahead of the clock. */
function decidedAt(now: number, at: number): { readonly decidedAt?: number } {
  return now === at ? {} : { decidedAt: now };
}

function rescheduled({ id: deliveryId, dueAt, decidedAt: before }: Delivery, now: number, at: number): DeliveryEvent[] {
  if (dueAt === null || !isSetBack(now, before)) return [];
  return [{ type: 'DeliveryRescheduled', at, ...decidedAt(now, at), deliveryId, ...dueIn(now, Math.max(0, dueAt - before)) }];
}

function dueIn(now: number, waitMs: number): { readonly dueAt: number; readonly overdueAt: number } {
  return { dueAt: now + waitMs, overdueAt: now + waitMs + OVERDUE_AFTER_MS };
}

/** Deliveries scheduled before the endpoint was disabled stay cancelled after it is enabled again. */
function obstacleTo({ disablings: before }: Delivery, { obstacle, disablings }: Command<'ClaimDelivery' | 'RecordOutcome'>) {
  return obstacle ?? (before !== null && disablings > before ? 'endpoint_disabled' : null);
}

/** A first attempt is also due by the stream's own time, which never goes back when the clock is set back. */
function isDue({ dueAt, attemptCount }: Delivery, now: number, at: number): boolean {
  return dueAt === null || dueAt <= (attemptCount === 0 ? at : now);
}

/** An attempt interrupted by its process's death counts, and the next one is due at once. */
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
  if (supersededBy) return [cancelled(delivery, 'superseded', result, at)];
  if (attemptCount >= maxAttempts) {
    return [{ type: 'DeliveryFailed', at, ...outcomeOf(delivery), result, reason: 'attempts_exhausted' }];
  }
  const decided = decidedAt(command.at, at);
  return [{ type: 'DeliveryRetryScheduled', at, ...decided, ...outcomeOf(delivery), result, ...dueIn(command.at, 0) }];
}

/** A lease that a clock gave which was set back since may last for hours: it counts as over. */
function isLiving(
  { leaseUntil, startedAt }: NonNullable<Delivery['claim']>,
  begunAt: number,
  { at: now, voidBefore }: Command<'ClaimDelivery'>,
): boolean {
  return leaseUntil > now && startedAt >= voidBefore && !isSetBack(now, begunAt);
}

/** Only the holder of the claim may record the attempt's outcome. */
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
  const began = firstStartedAt ?? result.startedAt;
  const step = nextStep(schedule, { attempt, maxAttempts, outcome, firstStartedAt: began, endedAt: command.at, chance });
  const about = outcomeOf(delivery);
  if (step.kind === 'succeed') return [{ type: 'DeliverySucceeded', at, ...about, result }];
  if (step.kind === 'fail') return [{ type: 'DeliveryFailed', at, ...about, result, reason: step.reason }];
  const obstacle = delivery.supersededBy ? 'superseded' : obstacleTo(delivery, command);
  if (obstacle) return [cancelled(delivery, obstacle, result, at)];
  const { dueAt } = step;
  const decided = decidedAt(command.at, at);
  return [{ type: 'DeliveryRetryScheduled', at, ...decided, ...about, result, dueAt, overdueAt: dueAt + OVERDUE_AFTER_MS }];
}

/** Only the holder of the claim may give it up. */
function postpone(command: Command<'PostponeDelivery'>, state: EventDeliveries, at: number): DeliveryEvent[] {
  const { deliveryId, attemptId, waitMs, at: now } = command;
  const delivery = deliveryOf(state, deliveryId);
  if (delivery?.claim?.attemptId !== attemptId) return [];
  if (delivery.supersededBy) return [cancelled(delivery, 'superseded', null, at)];
  return [{ type: 'DeliveryPostponed', at, ...decidedAt(now, at), deliveryId, attemptId, ...dueIn(now, waitMs) }];
}

function replay({ deliveryId, replay: next }: Command<'ReplayDelivery'>, state: EventDeliveries, at: number): DeliveryEvent[] {
  const original = deliveryOf(state, deliveryId);
  if (!state.event || !original) throw resourceMissing('delivery', 'delivery_id');
  if (deliveryOf(state, next.deliveryId)) return [];
  if (state.expired) throw eventExpired();
  if (state.deliveries.length >= MAX_DELIVERIES) {
    throw new DomainError('limit_exceeded', `An event has at most ${MAX_DELIVERIES} deliveries.`);
  }
  const fresh = scheduled(state.event, { ...next, replayOf: deliveryId }, at);
  if (isFinished(original) || original.supersededBy) return [fresh];
  const superseded = { type: 'DeliverySuperseded', at, deliveryId, by: next.deliveryId } as const;
  return isWaiting(original) ? [superseded, cancelled(original, 'superseded', null, at), fresh] : [superseded, fresh];
}

/** The stream expires only when every delivery is finished. */
function expire({ event, expired, deliveries }: EventDeliveries, at: number): DeliveryEvent[] {
  if (!event || expired || !deliveries.every(isFinished)) return [];
  const gone = deliveries.map(({ id: deliveryId }) => ({ type: 'DeliveryExpired', at, deliveryId }) as const);
  return [...gone, { type: 'DeliveriesExpired', at }];
}

function scheduled(
  { projectId, eventType, appointmentId }: Omit<FrozenEvent, 'body'>,
  delivery: NewDelivery,
  at: number,
): DeliveryEvent {
  return { type: 'DeliveryScheduled', at, projectId, eventType, appointmentId, ...delivery };
}

function cancelled(delivery: Delivery, reason: CancelReason, result: AttemptResult | null, at: number): DeliveryEvent {
  return { type: 'DeliveryCancelled', at, ...outcomeOf(delivery), result, reason };
}

/** What an outcome is about. */
function outcomeOf({ id: deliveryId, endpointId }: Delivery): { readonly deliveryId: string; readonly endpointId: string } {
  return { deliveryId, endpointId };
}
