import { FakeClock, settle } from '@testing/fake-clock';
import { turnsDuring } from '@testing/event-loop';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadOptions, StoreUnavailable } from '@ports/event-store.port';
import { EmbeddedEventStore } from './event-store.embedded.js';
import { type EmbeddedPorts, openEmbeddedEngine } from '../open-embedded-engine.js';
import { positionOf } from './position.js';
import { ReadScheduler } from './read-scheduler.js';
import type { StoredEvents } from './stored-events.js';
import type { WriteAnswer } from '../writer/requests.js';
import type { WriteQueue } from '../writer/write-queue.js';

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

describe('reads of long and short streams', () => {
  const notes = (count: number, length: number) =>
    Array.from({ length: count }, () => ({ id: randomUUID(), event: { type: 'Noted', at: 1, text: 'x'.repeat(length) } }));

  it('are served short ones first, whether all of a stream or few of its events, and long ones as they came', async () => {
    await ports.events.append('long-1', notes(400, 9_000), 'none');
    await ports.events.append('long-2', notes(400, 9_000), 'none');
    await ports.events.append('short-1', notes(3, 10), 'none');
    const read: string[] = [];
    const reading = (name: string, stream: string, options: ReadOptions = {}) =>
      ports.events.read(stream, options).then(() => read.push(name));
    await Promise.all([
      reading('long', 'long-1'),
      reading('other long', 'long-2'),
      reading('all of a short one', 'short-1', { limit: 1_000 }),
      reading('few of a long one', 'long-2', { limit: 100 }),
    ]);
    expect(read).toEqual(['all of a short one', 'few of a long one', 'long', 'other long']);
  });

  it('begin with nothing before those that wait', async () => {
    const turn = new ReadScheduler();
    let reads = 0;
    const read = () => {
      reads += 1;
      return [];
    };
    const stored = { reads: turn, read, lastRevision: () => 999 } as unknown as StoredEvents;
    const store = new EmbeddedEventStore({} as WriteQueue, stored, 'log', new FakeClock(), 6);
    turn.note(1_000_000);
    const [first, second] = [1, 2].map(() => turn.next(turn.rankOf(300), () => undefined));
    await first;
    const late = store.read('long-1');
    expect(reads).toBe(0);
    await Promise.all([second, late]);
    expect(reads).toBe(1);
  });

  it('are refused where the store is closed half way', async () => {
    await ports.events.append('long-1', notes(400, 9_000), 'none');
    const reading = ports.events.read('long-1').catch((error: unknown) => error);
    await ports.engine.close();
    expect(await reading).toBeInstanceOf(StoreUnavailable);
  });

  it('leave others their turn however small the events are', async () => {
    await ports.events.append('long-1', notes(4_000, 1), 'none');
    expect(await turnsDuring(ports.events.read('long-1'))).toBeGreaterThan(3);
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
    const stored = { reads: new ReadScheduler(), read } as unknown as StoredEvents;
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
