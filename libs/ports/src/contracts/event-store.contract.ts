import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import {
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Position,
  START,
  StreamMovedOn,
} from '../event-store.port.js';
import { eventStoreInstanceCases } from './event-store-instances.contract.js';
import { PATIENCE_MS, twoInstances } from './instance-cases.js';
import { streamChangeContract } from './stream-change.contract.js';
import { eventFeedContract } from './event-feed.contract.js';
import { eventMetadataContract } from './event-metadata.contract.js';
import { logHeadContract } from './log-head.contract.js';
import { storedLogContract } from './stored-log.contract.js';
import { type Noted, batchOf, freshStream, textsOf } from './noted-events.js';

export interface EventStoreUnderTest {
  readonly store: EventStore;
  /** A second instance over the same log, as in another process. `close` closes it too. */
  another(): Promise<EventStore>;
  /** Simulates a restart: the previous instance is closed, and the new one knows only stored events. */
  restart(): Promise<EventStore>;
  close(): Promise<void>;
}

export function eventStoreContract(name: string, make: () => Promise<EventStoreUnderTest>): void {
  describe(`${name} keeps the promises of EventStore`, () => {
    let under: EventStoreUnderTest;
    let store: EventStore;

    beforeAll(async () => {
      under = await make();
      store = under.store;
    });
    afterAll(() => under.close());

    const append = (stream: string, expected: ExpectedRevision, ...texts: string[]) =>
      store.append(stream, batchOf(...texts), expected);

    describe('appending', () => {
      it('numbers the events of a stream from 0 and answers the last one', async () => {
        const stream = freshStream();
        expect((await append(stream, 'none', 'a', 'b')).revision).toBe(1);
        expect((await append(stream, 1, 'c')).revision).toBe(2);
      });

      it('gives back every event with its id, stream, revision and position', async () => {
        const stream = freshStream();
        const [first, second] = batchOf('ä "quoted" \u2028 \ud83d\ude00', 'b') as [NewEvent<Noted>, NewEvent<Noted>];
        const { position } = await store.append(stream, [first, second], 'none');
        const [one, two] = await store.read<Noted>(stream);
        expect(one).toMatchObject({ id: first.id, stream, revision: 0, event: first.event });
        expect(two).toMatchObject({ id: second.id, stream, revision: 1, position, event: second.event });
      });

      it('refuses a stream that moved on and writes nothing', async () => {
        const stream = freshStream();
        await append(stream, 'none', 'a');
        await expect(append(stream, 'none', 'b', 'c')).rejects.toBeInstanceOf(StreamMovedOn);
        await expect(append(stream, 5, 'b')).rejects.toBeInstanceOf(StreamMovedOn);
        expect(textsOf(await store.read(stream))).toEqual(['a']);
      });

      it('refuses to go on with a stream that has no event', async () => {
        const stream = freshStream();
        const refusal = (await append(stream, 0, 'a').catch((error: unknown) => error)) as StreamMovedOn;
        expect(refusal).toBeInstanceOf(StreamMovedOn);
        expect(['none', undefined]).toContain(refusal.current);
        expect(await store.read(stream)).toEqual([]);
      });

      it('refuses a batch without events', async () => {
        const stream = freshStream();
        await expect(store.append(stream, [], 'none')).rejects.toThrow();
        expect((await append(stream, 'none', 'a')).revision).toBe(0);
      });

      it('names the stream that moved on', async () => {
        const stream = freshStream();
        await append(stream, 'none', 'a', 'b');
        const refusal = (await append(stream, 0, 'c').catch((error: unknown) => error)) as StreamMovedOn;
        expect(refusal.stream).toBe(stream);
        expect([1, undefined]).toContain(refusal.current);
      });

      it('gives the same batch its first answer, also when the stream has grown since', async () => {
        const stream = freshStream();
        const batch = batchOf('a', 'b');
        const first = await store.append(stream, batch, 'none');
        expect(await store.append(stream, batch, 'none')).toEqual(first);
        await append(stream, 1, 'c');
        expect(await store.append(stream, batch, 'none')).toEqual(first);
        expect(textsOf(await store.read(stream))).toEqual(['a', 'b', 'c']);
      });

      it('refuses a batch that was written only in part', async () => {
        const stream = freshStream();
        const [a, b, c] = batchOf('a', 'b', 'c') as [NewEvent<Noted>, NewEvent<Noted>, NewEvent<Noted>];
        await store.append(stream, [a, b], 'none');
        await expect(store.append(stream, [a, b, c], 'none')).rejects.toBeInstanceOf(StreamMovedOn);
        await expect(store.append(stream, [b, c], 0)).rejects.toBeInstanceOf(StreamMovedOn);
        expect(textsOf(await store.read(stream))).toEqual(['a', 'b']);
      });

      it('writes the same batch once when it is sent twice at the same time', async () => {
        const stream = freshStream();
        const batch = batchOf('a', 'b');
        const [left, right] = await Promise.all([store.append(stream, batch, 'none'), store.append(stream, batch, 'none')]);
        expect(left).toEqual(right);
        expect(textsOf(await store.read(stream))).toEqual(['a', 'b']);
      });

      it('lets exactly one of many writers win a revision, and refusals harm nobody else', async () => {
        const contested = freshStream();
        const others = Array.from({ length: 20 }, () => freshStream());
        const rivals = Array.from({ length: 20 }, (_, index) => append(contested, 'none', `rival ${index}`));
        const peaceful = others.map((stream) => append(stream, 'none', 'fine'));
        const outcomes = await Promise.allSettled(rivals);
        await Promise.all(peaceful);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StreamMovedOn);
        }
        expect(await store.read(contested)).toHaveLength(1);
        for (const stream of others) expect(textsOf(await store.read(stream))).toEqual(['fine']);
      });

      it('positions grow from append to append, across streams, as text', async () => {
        const positions: Position[] = [START];
        for (let index = 0; index < 12; index += 1) positions.push((await append(freshStream(), 'none', 'x')).position);
        expect([...positions].sort()).toEqual(positions);
        expect(new Set(positions).size).toBe(positions.length);
        for (const position of positions) expect(position).toMatch(/^\d{20}$/);
      });
    });

    describe('reading', () => {
      const stream = freshStream();
      beforeAll(() => append(stream, 'none', 'a', 'b', 'c', 'd', 'e'));

      it.each([
        ['everything, oldest first', {}, 'abcde'],
        ['forwards from a revision', { from: 2 }, 'cde'],
        ['forwards, limited', { from: 1, limit: 2 }, 'bc'],
        ['backwards from the last', { direction: 'backwards' }, 'edcba'],
        ['backwards from a revision', { direction: 'backwards', from: 2 }, 'cba'],
        ['backwards, limited', { direction: 'backwards', limit: 2 }, 'ed'],
        ['nothing beyond the end', { from: 5 }, ''],
      ] as const)('gives %s', async (_, options, expected) => {
        expect(textsOf(await store.read(stream, options)).join('')).toBe(expected);
      });

      it('an unknown stream is empty', async () => {
        expect(await store.read(freshStream())).toEqual([]);
        expect(await store.read(freshStream(), { direction: 'backwards', limit: 1 })).toEqual([]);
      });

      it('sees what was appended before', async () => {
        const other = freshStream();
        for (let index = 0; index < 10; index += 1) {
          await append(other, index === 0 ? 'none' : index - 1, String(index));
          expect(await store.read(other)).toHaveLength(index + 1);
        }
      });
    });

    describe('reading again', () => {
      it('sees what was appended since the stream was found empty', async () => {
        const stream = freshStream();
        expect(await store.read(stream)).toEqual([]);
        await append(stream, 'none', 'a');
        expect(textsOf(await store.read(stream))).toEqual(['a']);
      });

      it('sees what was appended since it came to the end', async () => {
        const stream = freshStream();
        await append(stream, 'none', 'a', 'b');
        expect(await store.read(stream, { from: 2 })).toEqual([]);
        await append(stream, 1, 'c', 'd');
        expect(textsOf(await store.read(stream, { from: 2 }))).toEqual(['c', 'd']);
        expect(textsOf(await store.read(stream, { from: 3 }))).toEqual(['d']);
      });
    });

    logHeadContract(() => store);
    streamChangeContract(() => store);
    eventFeedContract(() => store);
    twoInstances(eventStoreInstanceCases, async () => ({ one: store, other: await under.another(), patienceMs: PATIENCE_MS }));

    describe('a retired stream', () => {
      it('reads as empty and takes no further append', async () => {
        const stream = freshStream();
        await append(stream, 'none', 'a', 'b');
        await store.retire(stream);
        expect(await store.read(stream)).toEqual([]);
        expect(await store.read(stream, { direction: 'backwards' })).toEqual([]);
        await expect(append(stream, 'none', 'c')).rejects.toBeInstanceOf(StreamMovedOn);
        await expect(append(stream, 1, 'c')).rejects.toBeInstanceOf(StreamMovedOn);
      });

      it('may be retired again, and leaves other streams and later positions alone', async () => {
        const [stream, other] = [freshStream(), freshStream()];
        await append(other, 'none', 'stays');
        const { position } = await append(stream, 'none', 'a');
        await store.retire(stream);
        await store.retire(stream);
        expect(textsOf(await store.read(other))).toEqual(['stays']);
        expect((await append(other, 0, 'later')).position > position).toBe(true);
      });
    });

    it('has one name for as long as it lives', async () => {
      const name = await store.identity();
      expect(name).not.toBe('');
      await append(freshStream(), 'none', 'a');
      expect(await store.identity()).toBe(name);
    });

    eventMetadataContract(
      () => store,
      async () => (store = await under.restart()),
    );
    storedLogContract(
      () => store,
      async () => (store = await under.restart()),
    );

    it('law: any sequence of appends leaves what an array would hold', async () => {
      const step = fc.record({
        size: fc.integer({ min: 1, max: 3 }),
        guess: fc.integer({ min: -2, max: 2 }),
        again: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const stream = freshStream();
          const model: string[] = [];
          for (const { size, guess, again } of steps) {
            const batch = batchOf(...Array.from({ length: size }, () => randomUUID()));
            const expected = Math.max(-1, model.length - 1 + guess);
            const send = () => store.append(stream, batch, expected === -1 ? 'none' : expected);
            const isRight = expected === model.length - 1;
            if (isRight) model.push(...batch.map(({ event }) => event.text));
            if (isRight) expect((await send()).revision).toBe(model.length - 1);
            else await expect(send()).rejects.toBeInstanceOf(StreamMovedOn);
            if (again && isRight) expect((await send()).revision).toBe(model.length - 1);
          }
          expect(textsOf(await store.read(stream))).toEqual(model);
        }),
        { numRuns: 30 },
      );
    });
  });
}
