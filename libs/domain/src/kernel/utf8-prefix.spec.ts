import * as fc from 'fast-check';
import { utf8Prefix } from './utf8-prefix.js';

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
  ])('of %j with at most %d bytes is %j', (text, most, beginning) => expect(utf8Prefix(text, most)).toBe(beginning));

  it('is the longest that fits', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, most) => {
        const beginning = utf8Prefix(text, most);
        expect(text.startsWith(beginning)).toBe(true);
        expect(Buffer.byteLength(beginning)).toBeLessThanOrEqual(most);
        const next = [...text.slice(beginning.length)][0];
        if (next !== undefined) expect(Buffer.byteLength(beginning + next)).toBeGreaterThan(most);
      }),
    ));
});
