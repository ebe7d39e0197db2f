import type { RunningTask } from '../../tasks/task-kind.js';
import { BulkPlaces } from './bulk-places.js';
import { BulkProgress } from './bulk-progress.js';
import type { BulkOutcome } from './bulk-replays.js';

const freshAt = (endpointId: string, madeAt: number, isFoundAgain: boolean) =>
  ({ kind: 'created', freshId: `whd_${madeAt}`, eventId: 'evt_1', endpointId, event: null, madeAt, isFoundAgain }) as BulkOutcome;

/** One execution of a task: what it counts of a step, and the cursor behind that. */
function step(cursor: string | null, fresh: BulkOutcome) {
  const progress = new BulkProgress({ dryRun: false, cursor } as RunningTask, BulkPlaces.in(cursor));
  return progress.stepOf([{ kind: 'created', fresh }]);
}

describe('the count of fresh deliveries after a restart', () => {
  const { cursor } = step(null, freshAt('we_1', 100, false));

  it('has one that was made after the last that was counted', () =>
    expect(step(cursor, freshAt('we_1', 101, true)).created).toBe(1));

  it('has none that was counted before', () =>
    expect([99, 100].map((madeAt) => step(cursor, freshAt('we_1', madeAt, true)).created)).toEqual([0, 0]));

  it('has one of another endpoint, whenever it was made', () => expect(step(cursor, freshAt('we_2', 99, true)).created).toBe(1));

  it('has one that is made now, although the clock was set back', () =>
    expect(step(cursor, freshAt('we_1', 50, false)).created).toBe(1));

  it('has one that two killed executions did not come to count', () => {
    const redone = step(cursor, freshAt('we_1', 101, true));
    expect(step(redone.cursor, freshAt('we_1', 102, true)).created).toBe(1);
  });
});
