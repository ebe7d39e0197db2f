import { withPlainPath } from './plain-path.js';

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
  expect(withPlainPath(url)).toBe(plain);
  expect(withPlainPath(plain)).toBe(plain);
});

it.each([
  ['one endless id of percent signs', `/v1/conversations/${'%'.repeat(15_000)}`],
  ['one endless id of escaped percent signs', `/v1/conversations/${'%25'.repeat(5_000)}/messages`],
  ['an id of emoji, cut within one', `/v1/conversations/x${'%F0%9F%98%80'.repeat(1_000)}`],
  ['thousands of parts', `/v1${'/%'.repeat(7_500)}`],
])('leaves the router little to decode of %s', (_, url) => {
  const plain = withPlainPath(url);
  expect(plain.split('%').length).toBeLessThan(2_000);
  expect(withPlainPath(plain)).toBe(plain);
});
