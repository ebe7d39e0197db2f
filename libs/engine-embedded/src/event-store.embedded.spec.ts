import { FakeClock, settle } from '@testing/fake-clock';
import { turnsDuring } from '@testing/event-loop';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadOptions } from '@ports/event-store.port';
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
