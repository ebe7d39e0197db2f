import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { SkipRecorder } from '../../skipped-events/skip-recorder.js';
import { SkippedEventDirectory } from '../../skipped-events/skipped-event-directory.js';
import { StreamCache } from '../../streams/stream-cache.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { StaleRows } from './stale-rows.js';

describe('a row', () => {
  it('is stale from when an event of it is skipped until that is resolved', async () => {
    const clock = new FakeClock();
    const [store, ids] = [new FakeEventStore(), new FakeIds(clock, 1)];
    const directory = new SkippedEventDirectory(new StreamRunner(store, new StreamCache(store), clock, ids));
    const [stale, recorder] = [new StaleRows(directory), new SkipRecorder(directory, clock, ids)];
    const record = { id: 'e', stream: 'note-1', revision: 0, position: '7', event: { type: 'NoteCursed', at: 1 } };
    await recorder.record('notes', [{ record, error: new Error('cursed'), rows: ['1', '2'] }]);
    const known = () =>
      Promise.all([stale.has('notes', '1'), stale.has('notes', '2'), stale.has('notes', '3'), stale.has('songs', '1')]);
    expect(await known()).toEqual([true, true, false, false]);
    await recorder.resolve('notes', ['7'], 'task_1');
    expect(await known()).toEqual([false, false, false, false]);
  });
});
