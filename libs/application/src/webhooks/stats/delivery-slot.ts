import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { RESPONSE_CLASSES, responseClassOf, type ResponseClass } from '@domain/delivery/outcome';
import { merged, NO_DURATIONS, withDuration, type DurationHistogram } from '../../read-models/duration-histogram.js';
import type { Slot } from '../../read-models/slot-ring.js';

type AttemptCounts = Readonly<Record<ResponseClass, number>>;

/** What ended in a span of time: deliveries by how they ended, attempts by their answers. */
export interface EndedCounts {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly attempts: AttemptCounts;
  /** Of the attempts whose duration is known. */
  readonly durations: DurationHistogram;
}

export type DeliverySlot = Slot & EndedCounts;

const NO_ATTEMPTS = Object.fromEntries(RESPONSE_CLASSES.map((each) => [each, 0])) as AttemptCounts;
const NOTHING: EndedCounts = { succeeded: 0, failed: 0, cancelled: 0, attempts: NO_ATTEMPTS, durations: NO_DURATIONS };

export function emptySlot(startsAt: number): DeliverySlot {
  return { startsAt, ...NOTHING };
}

/** With the attempt and the delivery that the event ends. */
export function withEvent(slot: DeliverySlot, event: DeliveryEvent): DeliverySlot {
  const { startsAt, attempts, durations } = slot;
  const result = 'result' in event ? event.result : null;
  return {
    startsAt,
    succeeded: slot.succeeded + Number(event.type === 'DeliverySucceeded'),
    failed: slot.failed + Number(event.type === 'DeliveryFailed'),
    cancelled: slot.cancelled + Number(event.type === 'DeliveryCancelled'),
    attempts: result ? withAttempt(attempts, responseClassOf(result.status)) : attempts,
    durations: typeof result?.durationMs === 'number' ? withDuration(durations, result.durationMs) : durations,
  };
}

function withAttempt(attempts: AttemptCounts, answer: ResponseClass): AttemptCounts {
  return { ...attempts, [answer]: attempts[answer] + 1 };
}

export function summed(all: readonly EndedCounts[]): EndedCounts {
  const sumOf = (count: (each: EndedCounts) => number) => all.reduce((sum, each) => sum + count(each), 0);
  return {
    succeeded: sumOf((each) => each.succeeded),
    failed: sumOf((each) => each.failed),
    cancelled: sumOf((each) => each.cancelled),
    attempts: Object.fromEntries(
      RESPONSE_CLASSES.map((name) => [name, sumOf(({ attempts }) => attempts[name])]),
    ) as AttemptCounts,
    durations: merged(all.map(({ durations }) => durations)),
  };
}
