import type { EventStore, ExpectedRevision } from '../event-store.port.js';
import { batchOf, freshStream, textsOf } from './noted-events.js';

export function streamChangeContract(storeOf: () => EventStore): void {
  describe('waiting for a stream to change', () => {
    let store: EventStore;
    beforeAll(() => void (store = storeOf()));
    const append = (stream: string, expected: ExpectedRevision, ...texts: string[]) =>
      store.append(stream, batchOf(...texts), expected);

    it('resolves at once when it already has grown', async () => {
      const stream = freshStream();
      await append(stream, 'none', 'a', 'b');
      const tooLate = AbortSignal.timeout(5_000);
      await store.changed(stream, 'none', tooLate);
      await store.changed(stream, 0, tooLate);
      expect(tooLate.aborted).toBe(false);
    });

    it('resolves when somebody appends', async () => {
      const stream = freshStream();
      await append(stream, 'none', 'a');
      const changed = store.changed(stream, 0);
      await append(stream, 0, 'b');
      await changed;
      expect(textsOf(await store.read(stream))).toEqual(['a', 'b']);
    });

    it('wakes all who wait', async () => {
      const stream = freshStream();
      const waiting = Array.from({ length: 10 }, () => store.changed(stream, 'none'));
      await append(stream, 'none', 'a');
      await Promise.all(waiting);
      expect(await store.read(stream)).toHaveLength(1);
    });

    it('resolves when the signal aborts, before or while waiting', async () => {
      const stop = new AbortController();
      const waiting = store.changed(freshStream(), 'none', stop.signal);
      stop.abort();
      await waiting;
      await store.changed(freshStream(), 'none', stop.signal);
      expect(stop.signal.aborted).toBe(true);
    });
  });
}
