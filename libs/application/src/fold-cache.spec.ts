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

  it('are kept while few others are touched', () => expect(after(3_999)).toBe(folded));
  it('are forgotten when eight thousand others are touched', () => expect(after(8_000)).toBeUndefined());
  it('are kept among any number of others while they are touched themselves', () => expect(after(20_000, true)).toBe(folded));
});
