import fc from 'fast-check';
import { BloomFilter } from './bloom-filter.js';
import { keyHash } from './key-hash.js';

describe('the set of possible keys', () => {
  it('never denies a key that was added', () =>
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 50 }), (keys) => {
        const possible = new BloomFilter(1_000);
        for (const key of keys) possible.add(keyHash(key));
        expect(keys.filter((key) => !possible.mayHave(keyHash(key)))).toEqual([]);
      }),
    ));

  it('denies nearly every key that was not', () => {
    const possible = new BloomFilter(1_000);
    for (let index = 0; index < 1_000; index++) possible.add(keyHash(`added ${index}`));
    const suspected = Array.from({ length: 1_000 }, (_, index) => `other ${index}`).filter((key) =>
      possible.mayHave(keyHash(key)),
    );
    expect(suspected.length).toBeLessThan(50);
  });
});
