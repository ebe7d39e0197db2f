import { StoreUnavailable, type Recorded } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { SkipRecorder, type Skip } from './skip-recorder.js';
import { SkippedEventDirectory } from './skipped-event-directory.js';

const record = (stream: string, position: string): Recorded => ({
  id: `event ${position}`,
  stream,
  revision: 4,
  position,
  event: { type: 'NoteCursed', at: 5 },
  metadata: { $correlationId: 'cor_1' },
});
const skip = (stream: string, position: string): Skip => ({
  record: record(stream, position),
  error: new TypeError('Kim cannot be read'),
  rows: ['cust_1'],
});

function surroundings() {
  const clock = new FakeClock();
  const [store, ids] = [new FakeEventStore(), new FakeIds(clock, 1)];
  const directory = new SkippedEventDirectory(new StreamRunner(store, new StreamCache(store), clock, ids));
  return { clock, store, ids, directory, recorder: new SkipRecorder(directory, clock, ids) };
}

describe('what could not be applied', () => {
  it('is recorded for its component, with the kind of the error alone, as caused by the event', async () => {
    const { store, directory, recorder, clock } = surroundings();
    await recorder.record('notes', [skip('note-1', '7'), skip('note-2', '9')]);
    const { unresolved } = await directory.load('notes');
    expect(Object.values(unresolved)).toEqual(
      ['7', '9'].map((position) => ({
        id: expect.stringMatching(/^skip_/) as unknown,
        position,
        type: 'NoteCursed',
        stream: position === '7' ? 'note-1' : 'note-2',
        revision: 4,
        rows: ['cust_1'],
        error: 'TypeError',
        frames: expect.arrayContaining([expect.stringContaining('skip-recorder.spec.ts')]) as unknown,
        attempts: 1,
        firstAt: clock.now(),
        lastAt: clock.now(),
      })),
    );
    const recorded = await store.read('skipped-notes');
    expect(recorded.map(({ metadata }) => metadata)).toMatchObject([
      { $correlationId: 'cor_1', $causationId: 'note-1@4' },
      { $correlationId: 'cor_1' },
    ]);
    expect(JSON.stringify(recorded)).not.toContain('Kim');
  });

  it('holds up nobody for more than some seconds while it cannot be recorded, and is recorded once it can', async () => {
    const { clock, ids, directory } = surroundings();
    let isAway = true;
    const failing = {
      run: (...args: Parameters<SkippedEventDirectory['run']>) =>
        isAway ? Promise.reject(new StoreUnavailable('away', true)) : directory.run(...args),
    } as SkippedEventDirectory;
    const recorder = new SkipRecorder(failing, clock, ids);
    let isHeldUp = true;
    void recorder.record('notes', [skip('note-1', '7')]).then(() => (isHeldUp = false));
    await clock.advance(1_900);
    expect(isHeldUp).toBe(true);
    await clock.advance(100);
    expect(isHeldUp).toBe(false);
    void recorder.record('others', [skip('note-1', '7')]);
    isAway = false;
    await clock.advance(5_000);
    await settle();
    for (const component of ['notes', 'others']) {
      expect(Object.keys((await directory.load(component)).unresolved)).toEqual(['7']);
    }
  });

  it('of the list of skipped events itself is not recorded: it could never end', async () => {
    const { directory, recorder } = surroundings();
    await recorder.record('skipped_events', [skip('skipped-notes', '7')]);
    expect((await directory.load('skipped_events')).unresolved).toEqual({});
  });
});
