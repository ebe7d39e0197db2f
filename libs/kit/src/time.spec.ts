import { FakeClock, settle } from '@testing/fake-clock';
import { Backoff, inTime } from './time.js';

const never = () => new Promise<never>(() => undefined);

describe('work within a time limit', () => {
  let clock: FakeClock;
  beforeEach(() => (clock = new FakeClock()));

  it('gives its result, and leaves no timer behind', async () => {
    expect(await inTime(clock, 100, Promise.resolve('done'), () => 'late')).toBe('done');
    expect(clock.pending).toBe(0);
  });

  it('rejects as the work does, and leaves no timer behind', async () => {
    await expect(inTime(clock, 100, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['nothing', undefined, undefined],
    ['another result', () => 'late', 'late'],
  ])('gives %s once it is too late, and not before', async (_, late, expected) => {
    let result: unknown = 'waiting';
    void inTime(clock, 100, never(), late).then((value) => (result = value));
    await clock.advance(99);
    expect(result).toBe('waiting');
    await clock.advance(1);
    expect(result).toBe(expected);
    expect(clock.pending).toBe(0);
  });

  it('rejects where that is what lateness means', async () => {
    const limited = inTime(clock, 100, never(), () => {
      throw new Error('too late');
    }).catch((error: unknown) => error);
    await clock.advance(100);
    expect(await limited).toEqual(new Error('too late'));
  });

  it('ignores a failure of work that is too late', async () => {
    let fail = (): void => undefined;
    const work = new Promise<never>((_, reject) => (fail = () => reject(new Error('failed'))));
    const limited = inTime(clock, 100, work);
    await clock.advance(100);
    fail();
    await settle();
    expect(await limited).toBeUndefined();
  });
});

describe('pauses between failures', () => {
  it('double up to the longest, and never exceed it', () => {
    const backoff = new Backoff(20, 500);
    expect(Array.from({ length: 7 }, () => backoff.next())).toEqual([20, 40, 80, 160, 320, 500, 500]);
    for (let times = 0; times < 2_000; times += 1) backoff.next();
    expect(backoff.next()).toBe(500);
  });

  it('begin with the shortest again after a success', () => {
    const backoff = new Backoff(20, 500);
    backoff.next();
    backoff.next();
    expect(backoff.failures).toBe(2);
    backoff.reset();
    expect([backoff.failures, backoff.next()]).toEqual([0, 20]);
  });
});
