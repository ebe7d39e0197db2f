import { FakeEventStore } from '@testing/fake-event-store';
import { StreamCache } from './stream-cache.js';

/** These tests read no stream. */
const store = new FakeEventStore();

const folded = { state: 'folded', revision: 0 };

describe('the folds of streams', () => {
  const after = (others: number, touch = false) => {
    const cache = new StreamCache(store);
    cache.put('mine', folded);
    for (let index = 0; index < others; index++) {
      cache.put(`other-${index}`, folded);
      if (touch) cache.get('mine');
    }
    return cache.get('mine');
  };

  it('are the newest that anybody has seen', () => {
    const cache = new StreamCache(store);
    const newest = { state: 'newest', revision: 2 };
    for (const each of [folded, newest, folded, { state: 'before', revision: 'none' } as const]) cache.put('mine', each);
    expect(cache.get('mine')).toBe(newest);
  });
  it('are forgotten when the log turns out to be another one', () => {
    const replaced = new FakeEventStore();
    const cache = new StreamCache(replaced);
    cache.put('mine', folded);
    replaced.replace([]);
    expect(cache.get('mine')).toBeUndefined();
  });
  it('are kept while few others are touched', () => expect(after(3_999)).toBe(folded));
  it('are forgotten when eight thousand others are touched', () => expect(after(8_000)).toBeUndefined());
  it.each([
    ['a long text', { metadata: 'x'.repeat(1_048_576), name: 'a' }],
    ['a list of long texts', { deliveries: Array.from({ length: 1_024 }, () => ({ url: 'x'.repeat(1_024) })) }],
    ['long texts behind a short one', { endpoints: ['x', 'x'.repeat(1_048_576)].map((url) => ({ url })) }],
    ['a long text deep in it', { claimants: [{ creation: { metadata: 'x'.repeat(1_048_576) } }] }],
  ])('are forgotten when few others with %s are touched, not when one is touched often', (_, state) => {
    const cache = new StreamCache(store);
    cache.put('mine', folded);
    for (let n = 0; n < 100; n++) cache.put('other', { state, revision: n });
    expect(cache.get('mine')).toBe(folded);
    for (let n = 0; n < 33; n++) cache.put(`other-${n}`, { state, revision: 0 });
    expect(cache.get('mine')).toBeUndefined();
    cache.put('mine', folded);
    for (let n = 0; n < 10; n++) cache.put(`another-${n}`, { state, revision: 0 });
    expect(cache.get('mine')).toBe(folded);
  });
  it('make room for others once they are over', () => {
    const cache = new StreamCache(store);
    cache.put('mine', folded);
    for (let n = 0; n < 8_000; n++) {
      cache.put(`other-${n}`, { state: { metadata: 'x'.repeat(1_048_576) }, revision: 0 });
      cache.forget(`other-${n}`);
    }
    expect(cache.get('other-7999')).toBeUndefined();
    expect(cache.get('mine')).toBe(folded);
  });
  it('weigh what was appended to them since they were weighed', () => {
    const cache = new StreamCache(store);
    cache.put('mine', folded);
    const put = (n: number, metadata: string, grownBy?: number) =>
      cache.put(`other-${n}`, { state: { metadata }, revision: metadata.length }, grownBy);
    for (let n = 0; n < 40; n++) put(n, '');
    for (let n = 0; n < 40; n++) put(n, 'x'.repeat(1_048_576), 1_048_576);
    expect(cache.get('mine')).toBeUndefined();
  });
  it('are not weighed for every little that is appended to them', () => {
    let weighed = 0;
    const state = { get metadata() { weighed += 1; return 'x'; } }; // prettier-ignore
    const cache = new StreamCache(store);
    for (let revision = 0; revision < 410; revision++) cache.put('mine', { state, revision }, 100);
    expect(weighed).toBe(10);
  });
  it('are kept among any number of others while they are touched themselves', () => expect(after(20_000, true)).toBe(folded));
  it('are kept beside one however heavy that is touched often', () => {
    const cache = new StreamCache(store);
    cache.put('mine', folded);
    const deliveries = Array.from({ length: 9_000 }, () => ({ url: 'x'.repeat(2_048) }));
    for (let revision = 1; revision <= 20; revision++) cache.put('heavy', { state: { deliveries }, revision });
    expect(cache.get('mine')).toBe(folded);
  });
});
