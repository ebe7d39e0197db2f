import type { ReadModels } from '@ports/read-models.port';
import type { Slot, SlotPoint } from './slot-ring.js';
import { WINDOW_SLOTS, type StatsWindow } from './stats-window.js';

interface SlotsOf {
  /** The collection of the slots. */
  readonly collection: string;
  /** Whose slots they are. */
  readonly owner: string;
  readonly projectId: string;
  readonly window: StatsWindow;
  readonly now: number;
}

/** The spans of a window, oldest first, with what was counted in them. */
export async function slotPoints<S extends Slot>(readModels: ReadModels, of: SlotsOf): Promise<readonly SlotPoint<S>[]> {
  const { collection, owner, projectId, window, now } = of;
  const slots = WINDOW_SLOTS[window];
  const stored = await readModels.getMany(collection, slots.rowIds(owner, now));
  const own = stored.flatMap((found) => (found?.projectId === projectId ? [found.row as S] : []));
  return slots.pointsOf(own, now);
}
