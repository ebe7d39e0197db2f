import { FoldCache } from './fold-cache.js';

const folded = { state: 'folded', revision: 0 };

describe('the folds of streams', () => {
  const after = (others: number, touch = false) => {
    const cache = new FoldCache();
    cache.put('mine', folded);
    for (let index = 0; index < others; index++) {
      cache.put(`other-${index}`, folded);
      if (touch) cache.get('mine');
    }
    return cache.get('mine');
  };

  it('are the newest that anybody has seen', () => {
    const cache = new FoldCache();
    const newest = { state: 'newest', revision: 2 };
    for (const each of [folded, newest, folded, { state: 'before', revision: 'none' } as const]) cache.put('mine', each);
    expect(cache.get('mine')).toBe(newest);
  });
  it('are kept while few others are touched', () => expect(after(3_999)).toBe(folded));
  it('are forgotten when eight thousand others are touched', () => expect(after(8_000)).toBeUndefined());
  it('are forgotten when heavy ones are touched, not when one is touched often', () => {
    const cache = new FoldCache();
    cache.put('mine', folded);
    const heavy = (revision: number) => ({ state: { metadata: 'x'.repeat(1_048_576), name: 'a' }, revision });
    for (let n = 0; n < 100; n++) cache.put('other', heavy(n));
    expect(cache.get('mine')).toBe(folded);
    for (let n = 0; n < 33; n++) cache.put(`other-${n}`, heavy(0));
    expect(cache.get('mine')).toBeUndefined();
  });
  it('are kept among any number of others while they are touched themselves', () => expect(after(20_000, true)).toBe(folded));
});
