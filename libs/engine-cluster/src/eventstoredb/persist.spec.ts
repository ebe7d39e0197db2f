import { TimeoutError } from '@eventstore/db-client';
import { APPEND_TIMES } from '@ports/append-times';
import { FakeClock } from '@testing/fake-clock';
import { NoAnswer } from './failure-meaning.js';
import { persist } from './persist.js';

describe('a call that is made again', () => {
  async function ended<T>(clock: FakeClock, work: Promise<T>): Promise<unknown> {
    let isOver = false;
    const outcome = work.catch((error: unknown) => error).finally(() => (isOver = true));
    while (!isOver) await clock.advance(50);
    return outcome;
  }

  it('gets ever longer pauses, and its last failure when its caller sends it again no more, and within 5 s', async () => {
    const clock = new FakeClock();
    const tries: number[] = [];
    const failure = new NoAnswer();
    const attempt = () => (tries.push(clock.elapsed()), Promise.reject(failure));
    const begun = clock.elapsed();
    expect(await ended(clock, persist(clock, attempt))).toBe(failure);
    expect(clock.elapsed() - begun).toBeGreaterThan(APPEND_TIMES.sentAgainForMs);
    expect(clock.elapsed() - begun).toBeLessThan(APPEND_TIMES.settledWithinMs);
    expect(tries.length).toBeGreaterThan(10);
  });

  it('never gets more time than is left', async () => {
    const clock = new FakeClock();
    const begun = clock.elapsed();
    const times: number[] = [];
    const attempt = async (withinMs: number): Promise<never> => {
      times.push(withinMs);
      await clock.advance(withinMs);
      throw new NoAnswer();
    };
    await ended(clock, persist(clock, attempt));
    expect(times.slice(0, 2)).toEqual([2_000, 2_000]);
    expect(clock.elapsed() - begun).toBeLessThan(5_000);
  });

  it('is over with its first answer', async () => {
    const clock = new FakeClock();
    const failures = [new TimeoutError({} as never), new NoAnswer()];
    const attempt = () => (failures.length > 0 ? Promise.reject(failures.shift() as Error) : Promise.resolve('answer'));
    expect(await ended(clock, persist(clock, attempt))).toBe('answer');
  });

  it('is not made again where the call was wrong', async () => {
    const attempt = () => Promise.reject(new TypeError('no such thing'));
    await expect(persist(new FakeClock(), attempt)).rejects.toThrow('no such thing');
  });
});
