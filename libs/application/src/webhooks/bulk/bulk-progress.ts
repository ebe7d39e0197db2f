import { toTime } from '../../read-models/time.resource.js';
import type { RunningTask, TaskStep } from '../../tasks/task-kind.js';
import { BulkPlaces } from './bulk-places.js';
import { BULK_SKIPS, type BulkOutcome } from './bulk-replays.js';

const MAX_SAMPLE = 20;

/** A delivery, or an event, that a task has come to. */
export interface BulkResult {
  /** Counted as such; null where it does not match any more. */
  readonly kind: 'created' | (typeof BULK_SKIPS)[number] | null;
  /** The fresh delivery that it led to. */
  readonly fresh: BulkOutcome | null;
}

export const NO_SKIPS: Readonly<Record<string, number>> = Object.fromEntries(BULK_SKIPS.map((reason) => [reason, 0]));

/** Adds up what came of a task. A fresh delivery counts once, however many have led to it, and whatever process was killed since. */
export class BulkProgress {
  private readonly counted = new Set<string>();
  private readonly eventIds = new Set<string>();
  private readonly appointmentIds = new Set<string>();
  private readonly sample: string[] = [];
  private oldest: number | null = null;
  private newest: number | null = null;
  /** Where this execution began. */
  private readonly begun: BulkPlaces;

  constructor(
    private readonly task: RunningTask,
    private readonly places: BulkPlaces,
  ) {
    this.begun = BulkPlaces.in(task.cursor);
  }

  stepOf(results: readonly BulkResult[]): TaskStep {
    const skipped: Record<string, number> = {};
    const matched = results.filter(({ kind }) => kind !== null);
    for (const { kind } of matched) if (kind !== null && kind !== 'created') skipped[kind] = (skipped[kind] ?? 0) + 1;
    const made = results.flatMap(({ fresh }) => (fresh?.kind === 'created' && this.isNews(fresh) ? [fresh] : []));
    for (const { endpointId, madeAt } of made) this.places.count(endpointId, madeAt);
    const created = this.task.dryRun ? 0 : made.length;
    const { cursor } = this.places;
    const step = { examined: results.length, matched: matched.length, created, skipped, cursor };
    return this.task.dryRun ? { ...step, details: this.details() } : step;
  }

  /** The members of a dry run's result. */
  details(): Readonly<Record<string, unknown>> {
    if (!this.task.dryRun) return {};
    return {
      would_create: this.counted.size,
      events: this.eventIds.size,
      appointments: this.appointmentIds.size,
      oldest_event_at: toTime(this.oldest),
      newest_event_at: toTime(this.newest),
      sample: [...this.sample],
    };
  }

  private isNews({ freshId, endpointId, madeAt, isFoundAgain, event, eventId, sample }: BulkOutcome): boolean {
    if (this.counted.has(freshId)) return false;
    this.counted.add(freshId);
    if (this.task.dryRun && event) this.note(event, eventId, sample);
    return !isFoundAgain || !this.begun.isCounted(endpointId, madeAt);
  }

  private note(event: NonNullable<BulkOutcome['event']>, eventId: string, sample: string): void {
    this.eventIds.add(eventId);
    this.appointmentIds.add(event.appointmentId);
    this.oldest = Math.min(this.oldest ?? event.emittedAt, event.emittedAt);
    this.newest = Math.max(this.newest ?? event.emittedAt, event.emittedAt);
    if (this.sample.length < MAX_SAMPLE) this.sample.push(sample);
  }
}
