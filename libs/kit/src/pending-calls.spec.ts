import { collectGarbage, collectYoungGarbage, memoryInUse } from '@testing/garbage';
import { PendingCalls } from './pending-calls.js';

const CHARACTERS = 1_024;
const CALLS = 20_480;
const AT_ONCE = 64;
const COLLECTED_EVERY = 160;
const MEBIBYTE = 1_048_576;

/** How many bytes of heap are added while 20 MiB come and go, 64 KiB of them at once, with minor collections only. */
async function growthOf(calls: PendingCalls<number, string>): Promise<number> {
  await collectGarbage();
  const before = memoryInUse();
  for (let number = 0; number < CALLS; number++) {
    calls.set(number, String(number).padStart(CHARACTERS));
    calls.delete(number - AT_ONCE);
    if (number % COLLECTED_EVERY === 0) collectYoungGarbage();
  }
  return memoryInUse() - before;
}

describe('pending calls', () => {
  it('are those that came and did not leave, in order of arrival', () => {
    const calls = new PendingCalls<string, number>();
    for (const [place, key] of ['one', 'two', 'three'].entries()) calls.set(key, place);
    calls.set('one', 7);
    expect([calls.delete('two'), calls.delete('two')]).toEqual([true, false]);
    expect([...calls.keys()]).toEqual(['one', 'three']);
    expect(calls.values()).toEqual([7, 2]);
    expect([calls.oldest, new PendingCalls().oldest]).toEqual([7, undefined]);
    expect([calls.size, calls.has('two'), calls.get('two'), calls.get('one')]).toEqual([2, false, undefined, 7]);
  });

  it('can leave while their values are iterated', () => {
    const calls = new PendingCalls<string, string>();
    for (const key of ['one', 'two']) calls.set(key, key);
    const seen: string[] = [];
    for (const value of calls.values()) {
      calls.delete('two');
      seen.push(value);
    }
    expect(seen).toEqual(['one', 'two']);
  });

  it('free the memory of what has left without a major collection', async () => {
    expect(await growthOf(new PendingCalls())).toBeLessThan(5 * MEBIBYTE);
  });
});
