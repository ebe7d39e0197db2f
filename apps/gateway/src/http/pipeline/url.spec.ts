import fc from 'fast-check';
import { parseQuery, plainUrl } from './url.js';

it.each([
  ['/v1/conversations', '/v1/conversations'],
  ['/v1/customers?phone=%2B49&a=%zz', '/v1/customers?phone=%2B49&a=%zz'],
  ['/%761/c%6Fnversations?a=%61', '/v1/conversations?a=%61'],
  ['/v1/conversations/a%2Fb%20c', '/v1/conversations/a%2Fb%20c'],
  ['/v1/conversations/%zz', '/v1/conversations/%25zz'],
  ['/v1/%41%ff#%', '/v1/%2541%25ff#%'],
  ['http://host.example/v1/events?limit=1', '/v1/events?limit=1'],
  ['https://host.example?a=1', '/?a=1'],
  ['http://host.example', '/'],
  ['*', '*'],
  ['host.example:443', 'host.example:443'],
])('spells %s as %s', (url, plain) => {
  expect(plainUrl({ url })).toBe(plain);
  expect(plainUrl({ url: plain })).toBe(plain);
});

it.each([
  ['one endless id of percent signs', `/v1/conversations/${'%'.repeat(15_000)}`],
  ['one endless id of escaped percent signs', `/v1/conversations/${'%25'.repeat(5_000)}/messages`],
  ['an id of emoji, cut within one', `/v1/conversations/x${'%F0%9F%98%80'.repeat(1_000)}`],
  ['thousands of parts', `/v1${'/%'.repeat(7_500)}`],
])('leaves the router little to decode of %s', (_, url) => {
  const plain = plainUrl({ url });
  expect(plain.split('%').length).toBeLessThan(2_000);
  expect(plainUrl({ url: plain })).toBe(plain);
});

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
