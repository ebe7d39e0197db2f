import { collectGarbage, collectYoungGarbage, memoryInUse } from '@testing/garbage';
import { InFlight } from './in-flight.js';

const CHARACTERS = 1_024;
const CAME = 20_480;
const AT_ONCE = 64;
const COLLECTED_EVERY = 160;
const MEBIBYTE = 1_048_576;

/** By how much memory grows while 20 MiB come and go, 64 KiB of them at once, if only what is young is collected. */
async function growthOf(register: InFlight<number, string>): Promise<number> {
  await collectGarbage();
  const before = memoryInUse();
  for (let number = 0; number < CAME; number++) {
    register.set(number, String(number).padStart(CHARACTERS));
    register.delete(number - AT_ONCE);
    if (number % COLLECTED_EVERY === 0) collectYoungGarbage();
  }
  return memoryInUse() - before;
}

describe('a register of what is in flight', () => {
  it('has what came and did not leave, as it came', () => {
    const register = new InFlight<string, number>();
    for (const [place, key] of ['one', 'two', 'three'].entries()) register.set(key, place);
    register.set('one', 7);
    expect([register.delete('two'), register.delete('two')]).toEqual([true, false]);
    expect([...register.keys()]).toEqual(['one', 'three']);
    expect(register.values()).toEqual([7, 2]);
    expect([register.oldest, new InFlight().oldest]).toEqual([7, undefined]);
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

  it('lets go of what has left before the old is collected', async () => {
    expect(await growthOf(new InFlight())).toBeLessThan(5 * MEBIBYTE);
  });
});
