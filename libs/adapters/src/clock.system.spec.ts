import { clockContract } from '@ports/contracts/clock.contract';
import { SystemClock } from './clock.system.js';

const HOUR = 3_600_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

clockContract('SystemClock', () => ({
  clock: new SystemClock(),
  elapse: async (ms) => void (await jest.advanceTimersByTimeAsync(ms)),
}));

describe('the system clock', () => {
  it('waits as long as it was told, though the wall clock is set back or forward', async () => {
    const clock = new SystemClock();
    const calls: string[] = [];
    clock.after(10_000, () => calls.push('over'));
    jest.setSystemTime(Date.now() - HOUR);
    await jest.advanceTimersByTimeAsync(5_000);
    jest.setSystemTime(Date.now() + 2 * HOUR);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(['over']);
  });

  it('notices within half a minute that the wall clock was set forward', async () => {
    const clock = new SystemClock();
    const calls: number[] = [];
    clock.at(clock.now() + 100 * HOUR, () => calls.push(clock.now()));
    jest.setSystemTime(Date.now() + 200 * HOUR);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(calls).toHaveLength(1);
  });

  it('does not call early when the wall clock was set back', async () => {
    const clock = new SystemClock();
    const calls: number[] = [];
    const due = clock.now() + 10_000;
    clock.at(due, () => calls.push(clock.now()));
    jest.setSystemTime(Date.now() - 5000);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual([]);
    await jest.advanceTimersByTimeAsync(5000);
    expect(calls).toEqual([due]);
  });

  it('leaves the process free to end', () => {
    jest.useRealTimers();
    const timersHoldingOn = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timersHoldingOn();
    const cancel = new SystemClock().at(Date.now() + HOUR, () => undefined);
    expect(timersHoldingOn()).toBe(before);
    cancel();
  });
});
