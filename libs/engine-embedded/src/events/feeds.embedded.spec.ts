import { FakeClock } from '@testing/fake-clock';
import { turnsDuring } from '@testing/event-loop';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@ports/clock.port';
import { type FeedBatch, START, StoreUnavailable } from '@ports/event-store.port';
import { EmbeddedEventStore } from './event-store.embedded.js';
import { type EmbeddedPorts, openEmbeddedEngine } from '../open-embedded-engine.js';
import { positionOf } from './position.js';
import { StoredEvents } from './stored-events.js';
import type { WriteAnswer } from '../writer/requests.js';
import type { WriteQueue } from '../writer/write-queue.js';

let directory: string;
let ports: EmbeddedPorts;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'feeds-'));
  ports = await openEmbeddedEngine(directory, new FakeClock());
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true });
});

async function reopen(clock: Clock = new FakeClock()): Promise<void> {
  await ports.engine.close();
  ports = await openEmbeddedEngine(directory, clock);
}

function notes(count: number, text = '') {
  return Array.from({ length: count }, () => ({ id: randomUUID(), event: { type: 'Noted', at: 1, text } }));
}

function append(count: number, text = '') {
  return ports.events.append('note-1', notes(count, text), 'none');
}

function subscribe(
  from = START,
  { atOnce, signal = new AbortController().signal }: { atOnce?: number; signal?: AbortSignal } = {},
) {
  return ports.events.subscribe(from, { signal, ...(atOnce && { atOnce }) })[Symbol.asyncIterator]();
}

async function batches(atOnce?: number): Promise<readonly FeedBatch[]> {
  const head = await ports.events.head();
  const feed = subscribe(START, { ...(atOnce && { atOnce }) });
  const all: FeedBatch[] = [];
  while (all.at(-1)?.upTo !== head) all.push((await feed.next()).value as FeedBatch);
  return all;
}

/** Events that another feed has yet to read (`at hand`), or that are `in the file only`. */
async function stored(where: string, count: number, clock?: Clock): Promise<void> {
  if (where === 'at hand') void subscribe().next();
  await append(count);
  if (where === 'in the file only') await reopen(clock);
}

class PassingClock extends FakeClock {
  override elapsed(): number {
    this.elapse(1);
    return super.elapsed();
  }
}

describe('a feed', () => {
  it.each(['at hand', 'in the file only'])('that is behind leaves others their turn, its events being %s', async (where) => {
    await reopen(new PassingClock());
    await stored(where, 5_000, new PassingClock());
    let told: readonly FeedBatch[] = [];
    const follow = async () => void (told = await batches());
    expect(await turnsDuring(follow())).toBeGreaterThanOrEqual(5);
    const revisions = told.flatMap(({ events }) => events.map(({ revision }) => revision));
    expect(revisions).toEqual(Array.from({ length: 5_000 }, (_, revision) => revision));
  });

  it('that begins beyond what is told so far hands out nothing from before its start', async () => {
    const start = positionOf(Number(await ports.events.head()) + 2);
    const next = subscribe(start).next();
    await append(3);
    const { events, upTo } = (await next).value as FeedBatch;
    expect(events.map(({ revision }) => revision)).toEqual([2]);
    expect(upTo > start).toBe(true);
  });

  it.each(['at hand', 'in the file only'])('hands out as much at once as its reader wants, %s', async (where) => {
    await stored(where, 2_500);
    const between = jest.spyOn(StoredEvents.prototype, 'between');
    expect((await batches(1_000)).map(({ events }) => events.length)).toEqual([1_000, 1_000, 500]);
    expect(between.mock.calls.length > 0).toBe(where === 'in the file only');
    between.mockRestore();
  });

  it('hands out less at once than its reader wants where events from the file are large', async () => {
    await append(400, 'x'.repeat(60_000));
    await reopen();
    expect((await batches(1_000)).map(({ events }) => events.length)).toEqual([256, 144]);
  });

  it.each(['at hand', 'in the file only'])(
    'hands out nothing more once it ends while others have their turn, %s',
    async (where) => {
      await stored(where, 500);
      const end = new AbortController();
      const aborted = subscribe(START, { signal: end.signal }).next();
      const cutOff = subscribe().next();
      cutOff.catch(() => undefined);
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
    const storedEvents = { between: (after: number, upTo: number) => ({ events: inFile.slice(after, upTo), characters: 0 }) };
    const store = new EmbeddedEventStore(
      queue as unknown as WriteQueue,
      storedEvents as unknown as StoredEvents,
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
