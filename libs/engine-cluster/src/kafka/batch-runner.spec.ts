import type { BusMessage, ConsumeResult } from '@ports/message-bus.port';
import { accepted } from '@ports/contracts/consume-results.contract';
import { FakeClock } from '@testing/fake-clock';
import type { EachBatchPayload } from 'kafkajs';
import { BatchRunner } from './batch-runner.js';
import { PartitionState, type Wait } from './partition-state.js';
import { UnfinishedCalls } from './unfinished-calls.js';

const NEVER = new Promise<void>(() => undefined);

function partition(answer: (message: BusMessage) => Promise<ConsumeResult>) {
  const clock = new FakeClock();
  const state = new PartitionState('run.topic', 3, clock);
  const [offers, resolved, waits]: [BusMessage[], string[], Wait[]] = [[], [], []];
  let isOwned = true;
  const runner = new BatchRunner(
    new Map([['run.topic', 'topic']]),
    (message) => {
      offers.push(message);
      return answer(message);
    },
    clock,
    new UnfinishedCalls(),
    { owned: () => (isOwned ? state : undefined), hold: (_, wait) => void waits.push(wait) },
  );
  const read = (values: string, from: number, changed: Partial<EachBatchPayload> = {}) => {
    const messages = [...values].map((value, index) => ({
      offset: String(from + index),
      key: Buffer.from('k'),
      value: Buffer.from(value),
    }));
    const payload = {
      batch: { topic: 'run.topic', partition: 3, messages },
      resolveOffset: (offset: string) => void resolved.push(offset),
      heartbeat: () => Promise.resolve(),
      isRunning: () => true,
      isStale: () => false,
      ...changed,
    };
    return runner.offer(payload as unknown as EachBatchPayload);
  };
  return { clock, state, offers, resolved, waits, read, lose: () => (isOwned = false) };
}

describe('a batch', () => {
  it('is offered in order, with the names and offsets of its messages', async () => {
    const { offers, resolved, state, read } = partition(() => Promise.resolve(accepted()));
    await read('ab', 7);
    expect(offers).toEqual([
      { topic: 'topic', partition: 3, offset: '7', key: 'k', value: 'a', assignment: state },
      { topic: 'topic', partition: 3, offset: '8', key: 'k', value: 'b', assignment: state },
    ]);
    expect([resolved, state.progress.low]).toEqual([['7', '8'], 9n]);
  });

  it('ends at a message that is held, which stays unresolved', async () => {
    const until = 99;
    const { offers, resolved, waits, read } = partition(({ value }) =>
      Promise.resolve(value === 'b' ? { kind: 'held', until } : accepted()),
    );
    await read('abc', 0);
    expect([offers.map(({ value }) => value), resolved, waits]).toEqual([['a', 'b'], ['0'], [{ kind: 'held', until }]]);
  });

  it.each([
    ['rejects', () => Promise.reject(new TypeError('mistaken'))],
    [
      'throws',
      () => {
        throw new TypeError('mistaken');
      },
    ],
  ])('is held for a second by a handler that %s: nothing reaches the driver', async (_, answer) => {
    const { clock, resolved, waits, read } = partition(answer);
    await read('ab', 0);
    expect([resolved, waits]).toEqual([[], [{ kind: 'held', until: clock.now() + 1_000 }]]);
  });

  it('passes on what a heartbeat throws, by which the driver learns of a rebalance', async () => {
    const { offers, read } = partition(() => Promise.resolve(accepted()));
    await expect(read('ab', 0, { heartbeat: () => Promise.reject(new Error('rebalancing')) })).rejects.toThrow('rebalancing');
    expect(offers).toHaveLength(1);
  });

  it.each(['isRunning', 'isStale'] as const)('is left alone where %s says so', async (name) => {
    const { offers, resolved, read } = partition(() => Promise.resolve(accepted()));
    await read('ab', 0, { [name]: () => name === 'isStale' });
    expect([offers, resolved]).toEqual([[], []]);
  });

  it('is not offered again where it was accepted and is under way: a rebalance reads from the stored offset', async () => {
    const { offers, resolved, read } = partition(() => Promise.resolve({ kind: 'accepted', done: NEVER }));
    await read('ab', 0);
    await read('abc', 0);
    expect(offers.map(({ value }) => value)).toEqual(['a', 'b', 'c']);
    expect(resolved).toEqual(['0', '1', '0', '1', '2']);
  });

  it.each(['accepted', 'held'])(
    'whose partition is lost while a message is being %s resolves and holds nothing',
    async (kind) => {
      const { resolved, waits, read, lose, offers } = partition(() => {
        lose();
        return Promise.resolve(kind === 'held' ? { kind: 'held', until: 99 } : accepted());
      });
      await read('ab', 0);
      expect([offers.length, resolved, waits]).toEqual([1, [], []]);
    },
  );

  it('of a log that was replaced while a message was offered counts for nothing', async () => {
    const { resolved, read, state } = partition(() => {
      state.restart();
      return Promise.resolve(accepted());
    });
    await read('ab', 30);
    expect([resolved, state.progress.position]).toEqual([[], undefined]);
  });
});
