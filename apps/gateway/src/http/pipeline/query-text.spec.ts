import fc from 'fast-check';
import { parse } from 'qs';
import { parseQuery } from './query-text.js';

const whole = (query: string) => parse(query, { depth: 1, parameterLimit: 100, arrayLimit: 20, plainObjects: true });

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

  it('law: is read alike on the short way and on the long one', () => {
    const name = fc.constantFrom('limit', 'order', 'a', 'b_c', 'constructor', 'toString', '__proto__', 'a[b]', 'x.y', '');
    const value = fc.oneof(fc.constantFrom('', '1', 'a=b', 'conv_01', '2026-03-01T09:00:00.000Z', '%20', '+', '%'), fc.string());
    const pair = fc.tuple(name, fc.constantFrom('=', '', '=='), value).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), (pairs) => {
        const query = pairs.join('&');
        expect(JSON.stringify(parseQuery(query))).toBe(JSON.stringify(whole(query)));
      }),
      { numRuns: 500 },
    );
  });
});
