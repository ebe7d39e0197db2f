import { headersObjection } from './custom-headers.js';

const PLAIN = 'must have plain names of at most 100 characters, and values of at most 1,024 printable ASCII characters';

describe('headers that an endpoint asks for', () => {
  it.each<[Record<string, string>, string | null]>([
    [{ 'X-Env': 'prod', Authorization: `Bearer ${'a'.repeat(1_017)}` }, null],
    [{ Authorization: `Bearer ${'a'.repeat(1_018)}` }, PLAIN],
    [{ ['x'.repeat(101)]: 'a' }, PLAIN],
    [{ 'X Env': 'a' }, PLAIN],
    [{ 'X-Env': 'größer' }, PLAIN],
    [{ 'X-Env': 'a\r\nHost: b' }, PLAIN],
    [{ '': 'x' }, PLAIN],
    ...['Host', 'content-type', 'Service-Signature', 'webhook-id', 'Transfer-Encoding', 'Accept-Encoding', 'Proxy-Authorization']
      .concat(['User-Agent', 'Connection', 'Keep-Alive', 'TE', 'Trailer', 'Upgrade', 'Expect'])
      .map((name): [Record<string, string>, string] => [{ [name]: 'x' }, 'must not have reserved names']),
    [{ 'X-Env': 'a', 'x-env': 'b' }, 'must each be given once'],
    [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a'])), 'must be at most 20 in number'],
  ])('%j: %s', (headers, objection) => expect(headersObjection(headers)).toBe(objection));
});
