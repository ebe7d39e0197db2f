import { clockContract } from '@ports/contracts/clock.contract';
import { FakeClock } from './fake-clock.js';

clockContract('FakeClock', () => {
  const clock = new FakeClock();
  return { clock, elapse: (ms) => clock.advance(ms) };
});

describe('a fake clock', () => {
  it('lets promises settle between two callbacks', async () => {
    const clock = new FakeClock(0);
    const seen: string[] = [];
    clock.at(1, () => void Promise.resolve().then(() => clock.at(2, () => seen.push(`second at ${clock.now()}`))));
    clock.at(3, () => seen.push(`third at ${clock.now()}`));
    await clock.advance(10);
    expect(seen).toEqual(['second at 2', 'third at 3']);
    expect(clock.now()).toBe(10);
    expect(clock.pending).toBe(0);
  });

  it('jumps without calling anybody', async () => {
    const clock = new FakeClock(1000);
    const seen: number[] = [];
    clock.at(1500, () => seen.push(clock.now()));
    clock.set(2000);
    expect(seen).toEqual([]);
    await clock.advance(0);
    expect(seen).toEqual([2000]);
    clock.set(500);
    expect(clock.now()).toBe(500);
  });

  it('that is set forwards or backwards lets nothing elapse', async () => {
    const clock = new FakeClock(1_000);
    const seen: string[] = [];
    clock.after(500, () => seen.push('after'));
    clock.at(9_000, () => seen.push('at'));
    const begun = clock.elapsed();
    clock.set(9_000);
    await clock.advance(0);
    clock.set(0);
    await clock.advance(499);
    expect([seen, clock.elapsed() - begun, clock.now()]).toEqual([['at'], 499, 499]);
    clock.elapse(1);
    await clock.advance(0);
    expect(seen).toEqual(['at', 'after']);
  });
});
