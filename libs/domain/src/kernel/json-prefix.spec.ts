import * as fc from 'fast-check';
import { jsonBytes, jsonPrefix } from './json-prefix.js';

const sizeOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.nat(0x7f).map((code) => String.fromCharCode(code)) }),
);

describe('the beginning of a text', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['aüb', 2, 'a'],
    ['aüb', 3, 'aü'],
    ['a中b', 3, 'a'],
    ['a🎉b', 4, 'a'],
    ['a🎉b', 5, 'a🎉'],
    ['', 0, ''],
    ['a"b', 2, 'a'],
    ['a\nb', 3, 'a\n'],
    ['a\u0000b', 6, 'a'],
    ['a\u001fb', 7, 'a\u001f'],
    ['a\u007fb', 2, 'a\u007f'],
    ['a\ud83cb', 6, 'a'],
    ['a\udf89b', 7, 'a\udf89'],
  ])('of %j with at most %d bytes is %j', (text, most, beginning) => expect(jsonPrefix(text, most)).toBe(beginning));

  it.each([
    ['a"b"c', 3, 3, 'a"'],
    ['a"b"c', 9, 3, 'a"b'],
    ['aüb', 9, 2, 'a'],
  ])('of %j with at most %d bytes in JSON and %d alone is %j', (text, inJson, alone, beginning) =>
    expect(jsonPrefix(text, inJson, alone)).toBe(beginning),
  );

  it('is the longest that fits', () =>
    fc.assert(
      fc.property(texts, fc.nat(40), (text, most) => {
        const beginning = jsonPrefix(text, most);
        expect(text.startsWith(beginning)).toBe(true);
        expect(sizeOf(beginning)).toBeLessThanOrEqual(most);
        const next = Array.from(text.slice(beginning.length))[0];
        if (next !== undefined) expect(sizeOf(beginning + next)).toBeGreaterThan(most);
      }),
    ));
});

it('the size of a text is that in JSON', () =>
  fc.assert(fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => expect(jsonBytes(text)).toBe(sizeOf(text)))));
