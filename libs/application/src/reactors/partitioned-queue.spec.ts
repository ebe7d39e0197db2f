import { settle } from '@testing/fake-clock';
import type { Position, Recorded } from '@ports/event-store.port';
import type { Reactor } from '../runtime/reactor.js';
import { PartitionedQueue } from './partitioned-queue.js';

interface Handled {
  readonly positions: readonly number[];
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

const placed = (position: number): Position => String(position).padStart(20, '0');

let end: AbortController;
let handled: Handled[];
let progress: [Position, number][];
let readAgain: string[];
let limits: unknown[];

beforeEach(() => {
  end = new AbortController();
  handled = [];
  progress = [];
  readAgain = [];
  limits = [];
});

/** An event of a partition, which is its stream here. Events of `-` belong to none. */
function at(position: number, partition: string): Recorded {
  return {
    id: `${position}`,
    stream: partition,
    revision: position,
    position: placed(position),
    event: { type: 'Noted', at: 1 },
  };
}

function queueOf(reactor: Pick<Reactor, 'partitionKey'> = { partitionKey: ({ stream }) => (stream === '-' ? null : stream) }) {
  const store = {
    read: <E>(stream: string, options?: { from?: number; limit?: number }) => {
      readAgain.push(`${stream} ${options?.from}`);
      limits.push(options?.limit);
      return Promise.resolve((stream === 'retired' ? [] : [at(options?.from ?? 0, stream)]) as unknown as E[]);
    },
  } as unknown as ConstructorParameters<typeof PartitionedQueue>[1];
  return new PartitionedQueue(reactor as Reactor, store, placed(0), {
    handle: (events) =>
      new Promise<void>((done, fail) => {
        handled.push({ positions: events.map(({ position }) => Number(position)), done, fail });
      }),
    onDone: (upTo, events) => void progress.push([upTo, events]),
    onFailure: () => end.abort(),
    signal: end.signal,
  });
}

const positions = () => handled.map((each) => each.positions);
const doAll = async (from = 0) => {
  for (let next = from; next < handled.length; next++) {
    handled[next]?.done();
    await settle();
  }
};
const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

describe('the partitioned queue of a reactor', () => {
  it('goes on with other partitions beside one that takes long, and keeps the order within a partition', async () => {
    const all = queueOf();
    await all.take({ events: [at(1, 'slow'), at(2, 'other')], upTo: placed(2) });
    await all.take({ events: [at(3, 'slow'), at(4, 'other')], upTo: placed(4) });
    await settle();
    handled[1]?.done();
    await settle();
    expect(positions()).toEqual([[1], [2], [4]]);
    handled[0]?.done();
    await settle();
    expect(positions()).toEqual([[1], [2], [4], [3]]);
  });

  it('has reached the position before the oldest event that is not done', async () => {
    const all = queueOf();
    await all.take({ events: [at(1, 'a'), at(2, 'a'), at(7, 'b'), at(9, 'c')], upTo: placed(11) });
    expect(all.doneUpTo).toBe(placed(0));
    await settle();
    for (const index of [1, 0, 2]) {
      handled[index]?.done();
      await settle();
    }
    expect(progress).toEqual([
      [placed(0), 1],
      [placed(7), 2],
      [placed(11), 1],
    ]);
  });

  it('tells how many events of a batch belong to no partition', async () => {
    const all = queueOf();
    expect(await all.take({ events: [at(1, '-'), at(2, 'a'), at(3, '-')], upTo: placed(3) })).toBe(2);
    expect(await all.take({ events: [at(4, '-')], upTo: placed(4) })).toBe(1);
    await settle();
    handled[0]?.done();
    await settle();
    expect(all.doneUpTo).toBe(placed(4));
  });

  it('shares a batch among sixteen partitions at a time, in turn', async () => {
    const all = queueOf();
    const names = range(1, 20).map((number) => `partition ${number}`);
    const events = names.flatMap((name, index) => range(index * 50, 50).map((position) => at(position, name)));
    await all.take({ events, upTo: placed(1_000) });
    await settle();
    expect(positions()).toEqual(range(0, 16).map((index) => range(index * 50, 8)));
    handled[0]?.done();
    await settle();
    expect(positions()[16]).toEqual(range(800, 8));
    for (const index of [1, 2, 3, 4]) handled[index]?.done();
    await settle();
    expect(positions().slice(17)).toEqual([range(850, 8), range(900, 8), range(950, 8), range(8, 8)]);
  });

  it('gives a partition that is alone the whole batch', async () => {
    const all = queueOf();
    await all.take({ events: range(0, 300).map((position) => at(position, 'a')), upTo: placed(300) });
    await settle();
    expect(positions()).toEqual([range(0, 128)]);
  });

  it('holds a thousand events, reads later ones again, and leaves out what was dropped meanwhile', async () => {
    const all = queueOf();
    const events = range(1, 1_030).map((position) => at(position, position === 1_026 ? 'retired' : 'a'));
    await all.take({ events, upTo: placed(1_030) });
    await settle();
    await doAll();
    expect(handled.flatMap((each) => each.positions).toSorted((a, b) => a - b)).toEqual(
      range(1, 1_030).filter((position) => position !== 1_026),
    );
    expect(readAgain).toEqual(['retired 1026', 'a 1025', 'a 1027', 'a 1028', 'a 1029', 'a 1030']);
    expect(limits).toEqual(Array(6).fill(1));
    expect(all.doneUpTo).toBe(placed(1_030));
    readAgain = [];
    await all.take({ events: [at(1_031, 'a')], upTo: placed(1_031) });
    await settle();
    expect(readAgain).toEqual([]);
  });

  it('holds a thousand again when those before them are done', async () => {
    const all = queueOf();
    for (const from of [1, 2_001]) {
      readAgain = [];
      await all.take({ events: range(from, 1_030).map((position) => at(position, 'a')), upTo: placed(from + 1_030) });
      await settle();
      await doAll(from === 1 ? 0 : 9);
      expect(readAgain).toHaveLength(6);
    }
  });

  it('takes nothing more of the log while sixty-five thousand events wait', async () => {
    const all = queueOf();
    let taken = false;
    const events = range(1, 65_536 + 129).map((position) => at(position, 'a'));
    const taking = all.take({ events, upTo: placed(70_000) }).then(() => (taken = true));
    for (const index of [0, 1]) {
      await settle();
      expect(taken).toBe(false);
      handled[index]?.done();
    }
    await taking;
    expect(all.doneUpTo).toBe(placed(256));
  });

  it('ends when one partition fails, once nothing is under way', async () => {
    const all = queueOf();
    await all.take({ events: [at(1, 'a'), at(2, 'b')], upTo: placed(2) });
    await all.take({ events: [at(3, 'a')], upTo: placed(3) });
    await settle();
    handled[1]?.fail(new Error('out of reach'));
    await settle();
    expect(end.signal.aborted).toBe(true);
    const failures: unknown[] = [];
    const closing = all.close().catch((error: unknown) => failures.push(error));
    await settle();
    expect(failures).toEqual([]);
    handled[0]?.done();
    await closing;
    expect(failures).toEqual([new Error('out of reach')]);
    expect(positions()).toEqual([[1], [2]]);
    expect(all.doneUpTo).toBe(placed(1));
  });

  it('tells what failed first', async () => {
    const all = queueOf();
    await all.take({ events: [at(1, 'a'), at(2, 'b')], upTo: placed(2) });
    await settle();
    handled[1]?.fail(new Error('first'));
    await settle();
    handled[0]?.fail(new Error('second'));
    await expect(all.close()).rejects.toThrow('first');
  });

  it('begins nothing after the end', async () => {
    const all = queueOf();
    await all.take({ events: [at(1, 'a'), at(2, 'a')], upTo: placed(2) });
    await settle();
    end.abort();
    handled[0]?.done();
    await all.close();
    expect(positions()).toEqual([[1, 2]]);
    await all.take({ events: [at(3, 'a')], upTo: placed(3) });
    await settle();
    expect(positions()).toEqual([[1, 2]]);
  });
});

describe('a reactor without partitions', () => {
  it('is handed a batch at a time, whole, and nothing before it is done', async () => {
    const all = queueOf({});
    let taken = false;
    const events = range(1, 1_024).map((position) => at(position, `${position % 3}`));
    const taking = all.take({ events, upTo: placed(1_024) }).then(() => (taken = true));
    await settle();
    expect(positions()).toEqual([range(1, 1_024)]);
    expect(taken).toBe(false);
    handled[0]?.done();
    await taking;
    expect(all.doneUpTo).toBe(placed(1_024));
    expect(readAgain).toEqual([]);
  });
});
