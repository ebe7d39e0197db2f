import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';

const shuffled = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, inner]) => [name, shuffled(inner)]),
      );

describe('bodies mean the same', () => {
  it('when only the order of members and the spacing differ', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (body) => {
        const sent = { metadata: body, content: body };
        const spaced = JSON.stringify(shuffled(sent), null, 2);
        for (const json of [spaced, spaced.replaceAll('\n', '\r\n')]) {
          expect(canonicalJson(json)).toBe(canonicalJson(JSON.stringify(sent)));
        }
      }),
    ));

  it('when a number in metadata is written another way', () => {
    expect(canonicalJson('{"metadata":{"a":1.50,"b":1e2}}')).toBe(canonicalJson('{"metadata":{"b":100,"a":1.5}}'));
    expect(canonicalJson('{"metadata":{"a":0e-400,"b":-0.0}}')).toBe(canonicalJson('{"metadata":{"a":0,"b":-0}}'));
    expect(canonicalJson('{"a":1.23456789012345e0}')).toBe(canonicalJson('{"a":1.23456789012345}'));
    expect(canonicalJson('{"metadata":{"a":-0}}')).toBe(canonicalJson('{"metadata":{"a":0}}'));
  });

  it('when a text is escaped in another way', () => {
    expect(canonicalJson('{"\\u0061":"\\u00e9\\/"}')).toBe(canonicalJson('{"a":"é/"}'));
  });

  it('when of members of one name only the last counts', () => {
    expect(canonicalJson('{"a":{"b":1},"__proto__":1,"a":[]}')).toBe(canonicalJson('{"__proto__":1,"a":[]}'));
  });

  it('however deep they are', () => {
    const nested = (space: string) => `{"metadata":${`[${space}`.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(canonicalJson(nested(' '))).toBe(nested(''));
  });

  it('however many their items, and those under many levels', () => {
    const items = (comma: string) => Array.from({ length: 120_000 }, () => '1').join(comma);
    const nested = (comma: string) => `{"metadata":${'{"a":['.repeat(500)}${items(comma)}${']}'.repeat(500)}}`;
    expect(canonicalJson(nested(' , '))).toBe(nested(','));
  });
});

it('orders names as they are, not as they are escaped', () => {
  expect(canonicalJson('{"a#":1,"a\\u0022":2}')).toBe('{"a\\"":2,"a#":1}');
});

it('is the same text in every version: a key outlives an upgrade', () => {
  const sent = '{ "b":"\\u0022", "a!":[1, {"y":2,"x":{}}], "a\\u0022":1.50, "a":[], "10":null }';
  expect(canonicalJson(sent)).toBe('{"10":null,"a":[],"a!":[1,{"x":{},"y":2}],"a\\"":1.5,"b":"\\""}');
});

describe('bodies differ', () => {
  it.each([
    ['{"metadata":{"n":12345678901234567890}}', '{"metadata":{"n":12345678901234567891}}'],
    ['{"metadata":{"n":9007199254740992}}', '{"metadata":{"n":9007199254740993}}'],
    ['{"metadata":{"a":1e400}}', '{"metadata":{"a":null}}'],
    ['{"metadata":{"a":1e400}}', '{"metadata":{"a":2e400}}'],
    ['{"metadata":{"a":1e-400}}', '{"metadata":{"a":0}}'],
    ['{"metadata":{"a":1.2345e-320}}', '{"metadata":{"a":1.2346e-320}}'],
    ['{"metadata":{"a":"1"}}', '{"metadata":{"a":1}}'],
    ['{"metadata":{"a":[1,2]}}', '{"metadata":{"a":[2,1]}}'],
    ['{"metadata":{"a":{}}}', '{"metadata":{"a":[]}}'],
    ['{"content":"a"}', '{"content":"a "}'],
  ])('like %s and %s', (one, other) => expect(canonicalJson(one)).not.toBe(canonicalJson(other)));
});
