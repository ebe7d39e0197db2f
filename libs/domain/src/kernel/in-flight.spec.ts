import { collectYoungGarbage } from '@testing/garbage';
import { InFlight } from './in-flight.js';

const NUMBERS = 1_000;
const CAME = 6_400;
const AT_ONCE = 64;
const MEBIBYTE = 1_048_576;

/** By how much memory grows while six thousand heavy things come and go, if only what is young is collected. */
function growthOf(register: InFlight<number, readonly number[]>): number {
  collectYoungGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < CAME; number++) {
    register.set(
      number,
      Array.from({ length: NUMBERS }, () => number),
    );
    register.delete(number - AT_ONCE);
    if (number % AT_ONCE === 0) collectYoungGarbage();
  }
  return process.memoryUsage().heapUsed - before;
}

describe('a register of what is in flight', () => {
  it('has what came and did not leave, as it came', () => {
    const register = new InFlight<string, number>();
    for (const [place, key] of ['one', 'two', 'three'].entries()) register.set(key, place);
    register.set('one', 7);
    expect([register.delete('two'), register.delete('two')]).toEqual([true, false]);
    expect([...register.keys()]).toEqual(['one', 'three']);
    expect(register.values()).toEqual([7, 2]);
    expect([register.size, register.has('two'), register.get('two'), register.get('one')]).toEqual([2, false, undefined, 7]);
  });

  it('tells of what is here now, whoever leaves while it is looked at', () => {
    const register = new InFlight<string, string>();
    for (const key of ['one', 'two']) register.set(key, key);
    const seen: string[] = [];
    for (const value of register.values()) {
      register.delete('two');
      seen.push(value);
    }
    expect(seen).toEqual(['one', 'two']);
  });

  it('lets go of what has left before the old is collected', () => {
    expect(growthOf(new InFlight())).toBeLessThan(10 * MEBIBYTE);
  });
});
