import * as fc from 'fast-check';
import { KeyedWaiter, onceAborted, Waiter } from './waiter.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function outcomeOf(promise: Promise<boolean>): { value: boolean | 'waiting' } {
  const outcome: { value: boolean | 'waiting' } = { value: 'waiting' };
  void promise.then((value) => (outcome.value = value));
  return outcome;
}

describe('a waiter', () => {
  it('is told of every signal since it registered, however late it looks', async () => {
    const waiter = new Waiter();
    waiter.wake();
    const { signalled } = waiter.register();
    waiter.wake();
    await settle();
    expect(await signalled).toBe(true);
    expect(waiter.size).toBe(0);
  });

  it('never misses a condition that was reached and signalled, in whatever order one waits, signals and gives up', async () => {
    const step = fc.oneof(
      fc.record({ waitsFor: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ reached: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ givesUp: fc.nat({ max: 5 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const waiter = new Waiter();
        const waits: { wanted: number; over: AbortController; outcome: ReturnType<typeof outcomeOf>; expected: unknown }[] = [];
        let reached = 0;
        for (const each of steps) {
          if ('waitsFor' in each) {
            const [wanted, over] = [each.waitsFor, new AbortController()];
            const outcome = outcomeOf(waiter.until(() => reached >= wanted, onceAborted(over.signal)));
            waits.push({ wanted, over, outcome, expected: reached >= wanted || 'waiting' });
          } else if ('reached' in each) {
            reached = each.reached;
            waiter.wake();
            for (const wait of waits) if (wait.expected === 'waiting' && reached >= wait.wanted) wait.expected = true;
          } else {
            const wait = waits[each.givesUp];
            if (wait?.expected === 'waiting') wait.expected = false;
            wait?.over.abort();
          }
        }
        await settle();
        expect(waits.map(({ outcome }) => outcome.value)).toEqual(waits.map(({ expected }) => expected));
        expect(waiter.size).toBe(waits.filter(({ expected }) => expected === 'waiting').length);
      }),
    );
  });

  it('asks for the condition before the signal returns: it may not hold any more after it', async () => {
    const waiter = new Waiter();
    let holds = false;
    const outcome = outcomeOf(waiter.until(() => holds));
    holds = true;
    waiter.wake();
    holds = false;
    await settle();
    expect(outcome.value).toBe(true);
  });

  it('does not wait when the condition holds already, nor arranges for giving up', async () => {
    const waiter = new Waiter();
    let arranged = false;
    const givingUp = () => {
      arranged = true;
      return () => undefined;
    };
    expect(await waiter.until(() => true, givingUp)).toBe(true);
    expect([waiter.size, arranged]).toEqual([0, false]);
  });

  it.each(['signalled', 'cancelled', 'given up'])('undoes what it arranged for giving up once it is %s', async (end) => {
    const waiter = new Waiter();
    const undone: string[] = [];
    let stop = (): void => undefined;
    const registration = waiter.register((given) => {
      stop = given;
      return () => undone.push(end);
    });
    if (end === 'signalled') waiter.wake();
    else if (end === 'cancelled') registration.cancel();
    else stop();
    registration.cancel();
    expect(await registration.signalled).toBe(end === 'signalled');
    expect([undone, waiter.size]).toEqual([[end], 0]);
  });

  it('ends every wait when it is told to', async () => {
    const waiter = new Waiter();
    const outcomes = [waiter.register().signalled, waiter.until(() => false)];
    waiter.cancelAll();
    expect([await Promise.all(outcomes), waiter.size]).toEqual([[false, false], 0]);
  });

  it('waits for nothing when it is given up already', async () => {
    const waiter = new Waiter();
    expect(await waiter.register(onceAborted(AbortSignal.abort())).signalled).toBe(false);
    expect(waiter.size).toBe(0);
  });

  it('takes a registration made by a signal for the next one', async () => {
    const waiter = new Waiter();
    const first = waiter.register();
    const second = first.signalled.then(() => waiter.register().signalled);
    waiter.wake();
    await first.signalled;
    await settle();
    const outcome = outcomeOf(second);
    await settle();
    expect(outcome.value).toBe('waiting');
    waiter.wake();
    expect(await second).toBe(true);
  });
});

describe('waiters by key', () => {
  it('are told of the signals of their key', async () => {
    const waiters = new KeyedWaiter();
    const outcomes = ['a', 'a', 'b'].map((key) => outcomeOf(waiters.register(key).signalled));
    waiters.wake('c');
    waiters.wake('a');
    await settle();
    expect(outcomes.map(({ value }) => value)).toEqual([true, true, 'waiting']);
    waiters.cancelAll();
    await settle();
    expect(outcomes.map(({ value }) => value)).toEqual([true, true, false]);
    expect(waiters.size).toBe(0);
  });

  it('leave nothing behind', () => {
    const waiters = new KeyedWaiter();
    const over = new AbortController();
    waiters.register('a', onceAborted(over.signal));
    waiters.register('b').cancel();
    waiters.register('c', onceAborted(AbortSignal.abort()));
    expect(waiters.size).toBe(1);
    over.abort();
    expect(waiters.size).toBe(0);
    waiters.register('a');
    waiters.register('a');
    waiters.wake('a');
    expect(waiters.size).toBe(0);
  });
});
