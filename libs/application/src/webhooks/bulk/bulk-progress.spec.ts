import type { RunningTask } from '../../tasks/task-kind.js';
import type { BulkOutcome } from './bulk-replays.js';
import { BulkProgress } from './bulk-progress.js';

/** Counted of one fresh delivery that was found again after its task went on from a cursor stored at 100. */
function countedAgain(madeAt: number): number {
  const progress = new BulkProgress({ dryRun: false, cursor: 'stored', advancedAt: 100 } as RunningTask);
  const fresh = { kind: 'created', freshId: 'whd_1', eventId: 'evt_1', event: null, madeAt } as unknown as BulkOutcome;
  return progress.stepOf([{ kind: 'created', fresh }], 'next').created;
}

describe('the count of fresh deliveries after a restart', () => {
  it('has one that was made since the cursor was stored, in the same millisecond too', () =>
    expect([countedAgain(100), countedAgain(101)]).toEqual([1, 1]));
  it('has none that was made before, which was counted with the cursor', () => expect(countedAgain(99)).toBe(0));
});
