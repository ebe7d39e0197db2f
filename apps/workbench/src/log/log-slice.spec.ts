import type { DomainEvent } from '@domain/kernel/decider';
import { START, type FeedBatch, type Recorded } from '@ports/event-store.port';
import type { AsOf } from '../as-of.js';
import { LogSlice } from './log-slice.js';

const position = (number: number) => String(number).padStart(20, '0');
const recorded = (number: number, at: number): Recorded => ({
  id: `${number}`,
  stream: 's-1',
  revision: number,
  position: position(number),
  event: { type: 'Noted', at } as DomainEvent,
});

/** Events of these times, two in a batch; how many were read. */
function logOf(...times: readonly number[]) {
  const records = times.map((at, index) => recorded(index + 1, at));
  const read: number[] = [];
  async function* subscribe(from: string): AsyncGenerator<FeedBatch> {
    const left = records.filter((record) => record.position > from);
    for (let first = 0; first < left.length; first += 2) {
      const events = left.slice(first, first + 2);
      read.push(...events.map(({ revision }) => revision));
      yield { events, upTo: events.at(-1)?.position ?? from };
    }
  }
  return { subscribe, read };
}

async function slice(log: ReturnType<typeof logOf>, asOf: AsOf, from = START) {
  const batches: FeedBatch[] = [];
  for await (const batch of new LogSlice(log, asOf).subscribe(from, { signal: new AbortController().signal }))
    batches.push(batch);
  return { revisions: batches.flatMap(({ events }) => events.map(({ revision }) => revision)), upTo: batches.at(-1)?.upTo };
}

describe('the log as of a position', () => {
  it('has the events up to there', async () => {
    const log = logOf(1, 2, 3, 4, 5, 6);
    expect(await slice(log, { position: position(3) })).toEqual({ revisions: [1, 2, 3], upTo: position(3) });
    expect(log.read).toEqual([1, 2, 3, 4]);
  });

  it('goes on from where it was', async () => {
    expect(await slice(logOf(1, 2, 3, 4), { position: position(3) }, position(2))).toEqual({ revisions: [3], upTo: position(3) });
  });
});

describe('the log as of a time', () => {
  it('has the events whose own time is not later', async () => {
    expect(await slice(logOf(1_000, 5_000, 3_000, 9_000), { at: 4_000 })).toMatchObject({ revisions: [1, 3] });
  });

  it('ends at the first event of more than two seconds later, since clocks differ', async () => {
    const log = logOf(1_000, 5_999, 4_000, 6_001, 3_000, 3_500);
    expect(await slice(log, { at: 4_000 })).toEqual({ revisions: [1, 3], upTo: position(3) });
    expect(log.read).toEqual([1, 2, 3, 4]);
  });

  it('goes on from where it ended, once more came', async () => {
    const end = { at: 4_000 };
    const { upTo = START } = await slice(logOf(1_000, 2_000), end);
    expect(await slice(logOf(1_000, 2_000, 3_000, 7_000), end, upTo)).toEqual({ revisions: [3], upTo: position(3) });
  });
});
