import fc from 'fast-check';
import { parseQuery } from './parse-query.js';

describe('a query', () => {
  it.each([
    ['', {}],
    ['limit=5&starting_after=cur_A-b_9', { limit: '5', starting_after: 'cur_A-b_9' }],
    ['created_at[gte]=2026-03-01T09:00:00Z&created_at[lt]=b', { created_at: { gte: '2026-03-01T09:00:00Z', lt: 'b' } }],
    ['types[]=a&types[]=b', { types: ['a', 'b'] }],
    ['limit=1&limit=2', { limit: ['1', '2'] }],
    ['phone=%2B49+1', { phone: '+49 1' }],
    ['limit', { limit: '' }],
  ])('%s is understood', (query, meant) => {
    expect(JSON.parse(JSON.stringify(parseQuery(query)))).toEqual(meant);
  });

  it('law: never throws, and never reaches a prototype', () => {
    const name = fc.constantFrom('limit', 'order', 'a', 'b_c', 'constructor', 'toString', '__proto__', 'a[b]', 'x.y', '');
    const value = fc.oneof(fc.constantFrom('', '1', 'a=b', 'conv_01', '2026-03-01T09:00:00.000Z', '%20', '+', '%'), fc.string());
    const pair = fc.tuple(name, fc.constantFrom('=', '', '=='), value).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), (pairs) => {
        const read = parseQuery(pairs.join('&'));
        expect(Object.getPrototypeOf(read)).toBeNull();
        expect('polluted' in Object.prototype).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
