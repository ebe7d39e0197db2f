import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';
import { parseBody } from './json-body.js';

const canonical = (json: string) => canonicalJson(parseBody(Buffer.from(json)).members);
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
        expect(canonical(JSON.stringify(shuffled(sent), null, 2))).toBe(canonical(JSON.stringify(sent)));
      }),
    ));

  it('when a number in metadata is written another way', () => {
    expect(canonical('{"metadata":{"a":1.50,"b":1e2}}')).toBe(canonical('{"metadata":{"b":100,"a":1.5}}'));
  });
});

describe('bodies differ', () => {
  it.each([
    ['{"metadata":{"n":12345678901234567890}}', '{"metadata":{"n":12345678901234567891}}'],
    ['{"metadata":{"a":"1"}}', '{"metadata":{"a":1}}'],
    ['{"metadata":{"a":[1,2]}}', '{"metadata":{"a":[2,1]}}'],
    ['{"metadata":{"a":{}}}', '{"metadata":{"a":[]}}'],
    ['{"content":"a"}', '{"content":"a "}'],
  ])('like %s and %s', (one, other) => expect(canonical(one)).not.toBe(canonical(other)));
});
