import type { SharedChange } from './projection.js';
import type { Slot } from './slot-ring.js';
import { STATS_RINGS } from './stats-window.js';

interface Counted<S extends Slot> {
  /** Whose slots they are. */
  readonly owner: string;
  readonly projectId: string;
  readonly at: number;
  readonly empty: (startsAt: number) => S;
  /** The slot with one more. */
  readonly count: (slot: S) => S;
}

/** Counts something in the slots of its time. */
export function slotChanges<S extends Slot>({ owner, projectId, at, empty, count }: Counted<S>): readonly SharedChange[] {
  return STATS_RINGS.map((ring) => ({
    id: ring.rowId(owner, at),
    project(before) {
      const slot = ring.slotAt(before, at, empty);
      return slot && { projectId, createdAt: at, deleted: false, row: count(slot) };
    },
  }));
}
