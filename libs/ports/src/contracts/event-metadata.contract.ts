import type { Envelope } from '@domain/kernel/envelope';
import type { EventStore, NewEvent } from '../event-store.port.js';
import { follow } from './event-feed.contract.js';
import { batchOf, freshStream } from './noted-events.js';

const WHOLE: Envelope = {
  $correlationId: 'cor_ä "quoted" \u2028 \ud83d\ude00',
  $causationId: 'note-1@7',
  actor: { type: 'client', id: 'key_1' },
  requestId: 'req_1',
};
const SHORT: Envelope = { $correlationId: 'cor_2' };

/** One event per envelope; `null` is an event without metadata. */
function eventsWith(...all: readonly (Envelope | null)[]): NewEvent[] {
  return batchOf(...all.map(() => 'x')).map((event, index) => ({ ...event, ...(all[index] && { metadata: all[index] }) }));
}

export function eventMetadataContract(storeOf: () => EventStore, restart: () => Promise<EventStore>): void {
  describe('the metadata of an event', () => {
    let store: EventStore;
    beforeAll(() => void (store = storeOf()));

    const metadataOf = async (stream: string) => (await store.read(stream)).map(({ metadata }) => metadata);

    it('is kept as it was sent, each event its own, across restarts', async () => {
      const stream = freshStream();
      await store.append(stream, eventsWith(WHOLE, SHORT), 'none');
      expect(await metadataOf(stream)).toEqual([WHOLE, SHORT]);
      store = await restart();
      expect(await metadataOf(stream)).toEqual([WHOLE, SHORT]);
    });

    it('is absent from an event that was stored without, beside those that have it', async () => {
      const stream = freshStream();
      await store.append(stream, eventsWith(null, SHORT), 'none');
      await store.append(stream, eventsWith(null), 1);
      for (const read of [await store.read(stream), await (store = await restart()).read(stream)]) {
        expect(read.map((event) => 'metadata' in event)).toEqual([false, true, false]);
      }
    });

    it('is the same in reads and in feeds, of new events and of stored ones', async () => {
      const from = await store.head();
      const stream = freshStream();
      const { position } = await store.append(stream, eventsWith(WHOLE, null, SHORT), 'none');
      const fed = async () =>
        (await follow(store, from, position)).flatMap(({ events }) => events.filter((event) => event.stream === stream));
      const read = JSON.stringify(await store.read(stream));
      expect(JSON.parse(JSON.stringify(await fed()))).toEqual(JSON.parse(read));
      store = await restart();
      expect(JSON.parse(JSON.stringify(await fed()))).toEqual(JSON.parse(read));
    });

    it('does not tell a repeated batch from its first: it stays what was sent at first', async () => {
      const stream = freshStream();
      const batch = batchOf('a', 'b');
      const first = await store.append(
        stream,
        batch.map((event) => ({ ...event, metadata: WHOLE })),
        'none',
      );
      const again = batch.map((event) => ({ ...event, metadata: SHORT }));
      expect(await store.append(stream, again, 'none')).toEqual(first);
      expect(await store.append(stream, batch, 'none')).toEqual(first);
      expect(await metadataOf(stream)).toEqual([WHOLE, WHOLE]);
    });
  });
}
