import type { ProjectedRow } from './projection.js';

/** What happened in one span of time. */
export interface Slot {
  readonly startsAt: number;
}

/** Events are stored later than they happened by an outage at most. A slot of a later time than that is of a clock that was set back. */
const LATE_MS = 86_400_000;

/**
 * Counts by time in a bounded number of rows: an owner has one row for each of the last `count` spans of `slotMs`. The row of a span that
 * is over for so long is reused, so a slot bears its start. Spans are of UTC: days begin at midnight.
 */
export class SlotRing {
  constructor(
    private readonly name: string,
    readonly slotMs: number,
    readonly count: number,
  ) {}

  startOf(at: number): number {
    return Math.floor(at / this.slotMs) * this.slotMs;
  }

  /** The id of the row in which the owner's slot of `at` is. */
  rowId(owner: string, at: number): string {
    return `${owner}/${this.name}/${Math.floor(at / this.slotMs) % this.count}`;
  }

  /** The slot of `at` to count in: the stored one, or `empty` in the place of an earlier one; null if `at` is too long ago. */
  slotAt<S extends Slot>(before: Pick<ProjectedRow<object>, 'row'> | null, at: number, empty: (startsAt: number) => S): S | null {
    const startsAt = this.startOf(at);
    const stored = before?.row as S | undefined;
    if (!stored) return empty(startsAt);
    if (stored.startsAt === startsAt) return stored;
    const isOver = stored.startsAt < startsAt || stored.startsAt - startsAt > LATE_MS;
    return isOver ? empty(startsAt) : null;
  }
}

/** A span of a window with the slots that it is made of; those without a row are absent. */
export interface SlotPoint<S extends Slot> {
  readonly at: number;
  readonly slots: readonly S[];
}

/** The last `points` spans of `slotsPerPoint` slots each. The last one has not ended. */
export class SlotWindow {
  private readonly pointMs: number;

  constructor(
    private readonly ring: SlotRing,
    private readonly slotsPerPoint: number,
    private readonly points: number,
  ) {
    if (slotsPerPoint * points > ring.count) throw new RangeError('the ring has fewer slots than the window');
    this.pointMs = ring.slotMs * slotsPerPoint;
  }

  rowIds(owner: string, now: number): readonly string[] {
    const { slotMs } = this.ring;
    const first = this.firstAt(now);
    const slots = (this.ring.startOf(now) - first) / slotMs + 1;
    return Array.from({ length: slots }, (_, index) => this.ring.rowId(owner, first + index * slotMs));
  }

  /** From the rows of `rowIds`, in any order. Rows that were not reused since before the window are left out. */
  pointsOf<S extends Slot>(slots: readonly S[], now: number): readonly SlotPoint<S>[] {
    const first = this.firstAt(now);
    const byPoint = Array.from({ length: this.points }, (): S[] => []);
    for (const slot of slots) byPoint[Math.floor((slot.startsAt - first) / this.pointMs)]?.push(slot);
    return byPoint.map((each, index) => ({ at: first + index * this.pointMs, slots: each }));
  }

  private firstAt(now: number): number {
    return Math.floor(now / this.pointMs) * this.pointMs - (this.points - 1) * this.pointMs;
  }
}
