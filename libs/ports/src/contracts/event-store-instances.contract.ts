import { type EventStore, StreamMovedOn } from '../event-store.port.js';
import { eventually } from './eventually.js';
import type { InstanceCases } from './instance-cases.js';
import { appendTo, appendUnrelated, tells } from './log-head.contract.js';
import { batchOf, freshStream, textsOf } from './noted-events.js';

export interface TwoStores {
  readonly one: EventStore;
  readonly other: EventStore;
  readonly patienceMs: number;
}

export const eventStoreInstanceCases: InstanceCases<TwoStores> = {
  'reads what another has appended, also to a stream that it found empty or read to its end': async ({ one, other }) => {
    const stream = freshStream();
    expect(await other.read(stream)).toEqual([]);
    await one.append(stream, batchOf('a', 'b'), 'none');
    expect(textsOf(await other.read(stream))).toEqual(['a', 'b']);
    expect(await other.read(stream, { from: 2 })).toEqual([]);
    const { position } = await one.append(stream, batchOf('c'), 1);
    expect(textsOf(await other.read(stream, { from: 2 }))).toEqual(['c']);
    expect((await other.head()) >= position).toBe(true);
  },

  'is refused where another has extended the stream, and goes on from there': async ({ one, other }) => {
    const stream = freshStream();
    await other.append(stream, batchOf('a'), 'none');
    await one.append(stream, batchOf('b'), 0);
    await expect(other.append(stream, batchOf('c'), 0)).rejects.toBeInstanceOf(StreamMovedOn);
    await other.append(stream, batchOf('c'), 1);
    expect(textsOf(await one.read(stream))).toEqual(['a', 'b', 'c']);
  },

  'wins a revision or loses it to the other': async ({ one, other }) => {
    const stream = freshStream();
    const rivals = Array.from({ length: 20 }, (_, index) => [one, other][index % 2] ?? one);
    const outcomes = await Promise.allSettled(rivals.map((store, index) => store.append(stream, batchOf(`${index}`), 'none')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StreamMovedOn);
    }
    expect(await one.read(stream)).toEqual(await other.read(stream));
  },

  'gets the first answer for a batch that another has appended': async ({ one, other }) => {
    const stream = freshStream();
    const batch = batchOf('a', 'b');
    const first = await one.append(stream, batch, 'none');
    await one.append(stream, batchOf('c'), 1);
    expect(await other.append(stream, batch, 'none')).toEqual(first);
    expect(textsOf(await other.read(stream))).toEqual(['a', 'b', 'c']);
  },

  'is woken when another extends the stream it waits for': async ({ one, other, patienceMs }) => {
    const stream = freshStream();
    await one.append(stream, batchOf('a'), 'none');
    expect(textsOf(await other.read(stream))).toEqual(['a']);
    const tooLate = AbortSignal.timeout(patienceMs);
    const changed = other.changed(stream, 0, tooLate);
    await one.append(stream, batchOf('b'), 0);
    await changed;
    expect(tooLate.aborted).toBe(false);
    expect(textsOf(await other.read(stream, { from: 1 }))).toEqual(['b']);
  },

  'does not wait for what another has appended already': async ({ one, other, patienceMs }) => {
    const stream = freshStream();
    expect(await other.read(stream)).toEqual([]);
    await one.append(stream, batchOf('a'), 'none');
    const tooLate = AbortSignal.timeout(patienceMs);
    await other.changed(stream, 'none', tooLate);
    expect(tooLate.aborted).toBe(false);
  },

  "hands out another's events to its subscribers, in the order of the log": async ({ one, other, patienceMs }) => {
    const [left, right] = [freshStream(), freshStream()];
    const from = await other.head();
    const stop = new AbortController();
    const seen: string[] = [];
    const running = (async () => {
      for await (const { events } of other.subscribe(from, { signal: stop.signal })) {
        seen.push(...textsOf(events.filter(({ stream }) => stream === left || stream === right)));
      }
    })();
    await one.append(left, batchOf('1', '2'), 'none');
    await other.append(right, batchOf('3'), 'none');
    await one.append(left, batchOf('4'), 1);
    await eventually(() => expect(seen).toEqual(['1', '2', '3', '4']), patienceMs).finally(() => stop.abort());
    await running;
  },

  'knows how far another has brought a category, whatever else that appends': async ({ one, other, patienceMs }) => {
    for (let round = 0; round < 20; round += 1) {
      const others = Array.from({ length: 5 }, () => appendTo(one, 'unrelated'));
      const position = await appendTo(one, 'theirs');
      expect((await other.head(['theirs'])) >= position).toBe(true);
      await Promise.all(others);
    }
    const position = await appendTo(one, 'theirs');
    await appendUnrelated(one);
    await tells(other, ['theirs'], position, patienceMs);
  },

  'finds a stream gone that another has retired': async ({ one, other }) => {
    const stream = freshStream();
    await other.append(stream, batchOf('a', 'b'), 'none');
    await one.retire(stream);
    expect(await other.read(stream)).toEqual([]);
    await expect(other.append(stream, batchOf('c'), 1)).rejects.toBeInstanceOf(StreamMovedOn);
    await other.retire(stream);
  },

  'has the name of the log': async ({ one, other }) => {
    expect(await other.identity()).toBe(await one.identity());
  },
};
