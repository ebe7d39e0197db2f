import { FakeClock, settle } from '@testing/fake-clock';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FeedBatch, type ReadOptions, START, StoreUnavailable } from '@ports/event-store.port';
import { EmbeddedEventStore } from './event-store.embedded.js';
import { type EmbeddedPorts, openEmbeddedEngine } from './open-embedded-engine.js';
import { positionOf } from './position.js';
import { ReadingTurn } from './reading-turn.js';
import type { StoredEvents } from './stored-events.js';
import type { WriteAnswer } from './writer/requests.js';
import type { WriteQueue } from './writer/write-queue.js';

let directory: string;
let ports: EmbeddedPorts;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'events-'));
  ports = await openEmbeddedEngine(directory, new FakeClock());
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true });
});

async function reopen(): Promise<void> {
  await ports.engine.close();
  ports = await openEmbeddedEngine(directory, new FakeClock());
}

function append(stream: string, expected: number | 'none') {
  return ports.events.append(stream, [{ id: randomUUID(), event: { type: 'Noted', at: 1 } }], expected);
}

/** How often others had their turn before the work was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work;
  clearImmediate(next);
  return turns;
}

describe('a stream that an earlier process wrote', () => {
  it.each([
    ['a part of it', { limit: 1 }],
    ['what lies beyond its end', { from: 7 }],
    ['its last event', { direction: 'backwards', limit: 1 }],
  ] as const)('is read whole after %s was', async (_, part) => {
    await append('note-1', 'none');
    await append('note-1', 0);
    await reopen();
    await ports.events.read('note-1', part);
    expect(await ports.events.read('note-1', { from: 1 })).toHaveLength(1);
    expect(await ports.events.read('note-1')).toHaveLength(2);
  });
});

describe('a long stream', () => {
  const NOTES = 300;
  const long = (type: string) => ({ id: randomUUID(), event: { type, at: 1, text: 'x'.repeat(20_000) } });
  beforeEach(async () => {
    await ports.events.append(
      'note-1',
      Array.from({ length: NOTES }, (_, index) => long(`Noted${index}`)),
      'none',
    );
  });

  it('is read in parts, between which others have their turn', async () => {
    expect(await turnsDuring(ports.events.read('note-1'))).toBeGreaterThan(0);
    expect(await turnsDuring(ports.events.read('note-1', { direction: 'backwards' }))).toBeGreaterThan(0);
  });

  it('read bit by bit leaves others their turn as well', async () => {
    const bitByBit = async () => {
      for (let from = 0; from < NOTES; from += 50) await ports.events.read('note-1', { from, limit: 50 });
    };
    expect(await turnsDuring(bitByBit())).toBeGreaterThanOrEqual(3);
  });

  it('keeps nobody waiting who finds that another stream has not grown', async () => {
    await ports.events.append('note-2', [long('Noted')], 'none');
    let othersHadTheirTurn = false;
    const turn = setImmediate(() => (othersHadTheirTurn = true));
    await ports.events.read('note-1', { limit: 60 });
    expect(await ports.events.read('note-2', { from: 1 })).toEqual([]);
    expect(othersHadTheirTurn).toBe(false);
    clearImmediate(turn);
  });

  it.each([
    ['all of it', {}, 0, NOTES - 1],
    ['so many', { limit: 256 }, 0, 255],
    ['one more than a part', { from: 100, limit: 129 }, 100, 228],
    ['all of it backwards', { direction: 'backwards' }, NOTES - 1, 0],
    ['so many backwards', { direction: 'backwards', from: 200, limit: 140 }, 200, 61],
  ] as const)('gives %s', async (_, options, first, last) => {
    const revisions = (await ports.events.read('note-1', options)).map(({ revision }) => revision);
    expect([revisions[0], revisions.at(-1), revisions.length]).toEqual([first, last, Math.abs(last - first) + 1]);
  });
});

describe('a stream that is retired while it is read', () => {
  it.each(['forwards', 'backwards'] as const)('is empty, and not cut short, %s', async (direction) => {
    const noted = { type: 'Noted', at: 1, text: 'x'.repeat(20_000) };
    const notes = Array.from({ length: 300 }, () => ({ id: randomUUID(), event: noted }));
    await ports.events.append('note-1', notes, 'none');
    const stored = ports.events.read('note-1', { direction });
    const others = ports.events.read('note-1', { limit: 100 });
    await ports.events.retire('note-1');
    expect([(await stored).length, (await others).length]).toEqual([0, 0]);
  });
});

describe('an event that is stored while its append is not answered yet', () => {
  const noted = { type: 'Noted', at: 1 };
  const answered = { id: 'e6', stream: 'note-1', revision: 0, position: positionOf(6), event: noted };
  const newest = { id: 'e7', stream: 'note-1', revision: 1, position: positionOf(7), event: noted };
  let inFile: (typeof newest)[];
  let answer: (answer: WriteAnswer) => void;
  let store: EmbeddedEventStore;
  beforeEach(() => {
    inFile = [answered];
    const read = (_: string, { from = 0, direction }: ReadOptions) =>
      direction === 'backwards' ? inFile.toReversed() : inFile.slice(from);
    const stored = { turn: new ReadingTurn(), read } as unknown as StoredEvents;
    const queue = { send: (_: unknown, answered: typeof answer) => (answer = answered) } as unknown as WriteQueue;
    store = new EmbeddedEventStore(queue, stored, 'log', new FakeClock(), 6);
  });

  it.each(['forwards', 'backwards'] as const)('is within the head once it was read, %s', async (direction) => {
    expect(await store.head()).toBe(answered.position);
    inFile.push(newest);
    expect(await store.read('note-1', { direction })).toContain(newest);
    expect(await store.head()).toBe(newest.position);
  });

  it.each(['forwards', 'backwards'] as const)('is there for the next reader as well once it was read, %s', async (direction) => {
    expect(await store.read('note-1')).toEqual([answered]);
    inFile.push(newest);
    await store.read('note-1', { direction });
    expect(await store.read('note-1', { from: 1 })).toEqual([newest]);
  });

  it.each(['forwards', 'backwards'] as const)('stays there when an append before it is answered, %s', async (direction) => {
    const last = { ...newest, id: 'e8', revision: 2, position: positionOf(8) };
    const appended = store.append('note-1', [{ id: newest.id, event: noted }], 0);
    inFile.push(newest, last);
    await store.read('note-1', { direction });
    answer(7);
    await appended;
    expect(await store.read('note-1', { from: 2 })).toEqual([last]);
  });
});

describe('who waits for a stream', () => {
  let told: string[];
  beforeEach(() => (told = []));

  /** Asks to be told when the stream has grown past this revision. */
  async function waitFor(stream: string, revision: number | 'none'): Promise<void> {
    void ports.events.changed(stream, revision).then(() => told.push(stream));
    for (let turn = 0; turn < 5; turn += 1) await settle();
  }

  it('is told of nothing before it has grown', async () => {
    await append('note-1', 'none');
    await waitFor('note-1', 0);
    await waitFor('note-2', 'none');
    await append('note-3', 'none');
    await settle();
    expect(told).toEqual([]);
    await append('note-1', 0);
    await append('note-2', 'none');
    await settle();
    expect(told).toEqual(['note-1', 'note-2']);
  });

  it('is told of nothing that an earlier process has appended, unless it is news', async () => {
    await append('note-1', 'none');
    await reopen();
    await waitFor('note-1', 0);
    expect(told).toEqual([]);
    await waitFor('note-1', 'none');
    expect(told).toEqual(['note-1']);
  });

  it('is told when it is retired: it will never grow', async () => {
    await append('note-1', 'none');
    await waitFor('note-1', 0);
    await ports.events.retire('note-1');
    await settle();
    expect(told).toEqual(['note-1']);
  });
});

/** Every look at it finds a millisecond gone. */
class PassingClock extends FakeClock {
  override elapsed(): number {
    this.set(this.now() + 1);
    return super.elapsed();
  }
}

describe('a feed', () => {
  it.each(['at hand', 'in the file only'])('that is behind leaves others their turn, its events being %s', async (where) => {
    await ports.engine.close();
    ports = await openEmbeddedEngine(directory, new PassingClock());
    const notes = Array.from({ length: 5_000 }, () => ({ id: randomUUID(), event: { type: 'Noted', at: 1 } }));
    await ports.events.append('note-1', notes, 'none');
    if (where === 'in the file only') {
      await ports.engine.close();
      ports = await openEmbeddedEngine(directory, new PassingClock());
    }
    const head = await ports.events.head();
    const told: number[] = [];
    const follow = async () => {
      for await (const { events, upTo } of ports.events.subscribe(START, { signal: new AbortController().signal })) {
        told.push(...events.map(({ revision }) => revision));
        if (upTo === head) return;
      }
    };
    expect(await turnsDuring(follow())).toBeGreaterThanOrEqual(5);
    expect(told).toEqual(notes.map((_, revision) => revision));
  });

  it('that begins beyond what is told so far hands out nothing from before its start', async () => {
    const start = positionOf(Number(await ports.events.head()) + 2);
    const next = ports.events.subscribe(start, { signal: new AbortController().signal })[Symbol.asyncIterator]().next();
    for (const expected of ['none', 0, 1] as const) await append('note-1', expected);
    const { events, upTo } = (await next).value as FeedBatch;
    expect(events.map(({ revision }) => revision)).toEqual([2]);
    expect(upTo > start).toBe(true);
  });

  it.each(['at hand', 'in the file only'])('hands out as much at once as its reader wants, %s', async (where) => {
    const notes = Array.from({ length: 2_500 }, () => ({ id: randomUUID(), event: { type: 'Noted', at: 1 } }));
    await ports.events.append('note-1', notes, 'none');
    if (where === 'in the file only') await reopen();
    const head = await ports.events.head();
    const sizes: number[] = [];
    for await (const { events, upTo } of ports.events.subscribe(START, { atOnce: 1_000, signal: new AbortController().signal })) {
      sizes.push(events.length);
      if (upTo === head) break;
    }
    expect(sizes).toEqual([1_000, 1_000, 500]);
  });

  it.each(['at hand', 'in the file only'])(
    'hands out nothing more once it ends while others have their turn, %s',
    async (where) => {
      const notes = Array.from({ length: 500 }, () => ({ id: randomUUID(), event: { type: 'Noted', at: 1 } }));
      await ports.events.append('note-1', notes, 'none');
      if (where === 'in the file only') await reopen();
      const end = new AbortController();
      const [aborted, cutOff] = [end.signal, new AbortController().signal].map((signal) =>
        ports.events.subscribe(START, { signal })[Symbol.asyncIterator]().next(),
      );
      cutOff?.catch(() => undefined);
      end.abort();
      await ports.engine.close();
      expect(await aborted).toEqual({ done: true, value: undefined });
      await expect(cutOff).rejects.toThrow(StoreUnavailable);
    },
  );

  it('has what was stored though its append ended as unknown', async () => {
    const answers: WriteAnswer[] = [{ refused: 'unknown', reason: 'the disk is full', disk: true }, 2];
    const queue = { send: (_: unknown, answered: (answer: WriteAnswer) => void) => answered(answers.shift() ?? null) };
    const inFile = ['note-1', 'note-2'].map((stream) => ({ stream }));
    const stored = { between: (after: number, upTo: number) => inFile.slice(after, upTo) };
    const store = new EmbeddedEventStore(
      queue as unknown as WriteQueue,
      stored as unknown as StoredEvents,
      'log',
      new FakeClock(),
      0,
    );
    const noted = (stream: string) => store.append(stream, [{ id: stream, event: { type: 'Noted', at: 1 } }], 'none');
    await noted('note-1').catch(() => undefined);
    await noted('note-2');
    const feed = store.subscribe(START, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect((await feed.next()).value).toMatchObject({ events: inFile, upTo: await store.head() });
  });
});
