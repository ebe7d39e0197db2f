import fc from 'fast-check';
import { textSuccessor } from './text-successor.js';

const pointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);

function compare(left: string, right: string): number {
  const [one, other] = [pointsOf(left), pointsOf(right)];
  const differs = one.findIndex((point, index) => point !== other[index]);
  return differs === -1 ? one.length - other.length : (one[differs] ?? 0) - (other[differs] ?? -1);
}

describe("a text's successor", () => {
  it.each([
    ['a', 'b'],
    ['a\u{10ffff}', 'b'],
    ['\ud7ff', '\ue000'],
    ['\u{10ffff}', null],
    ['', null],
  ])('of %j is %j', (prefix, successor) => expect(textSuccessor(prefix)).toBe(successor));

  it('law: it is above all that begin with the text, and at most what follows them', () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(texts, texts, (prefix, other) => {
        const successor = textSuccessor(prefix);
        if (successor === null) return expect(pointsOf(prefix).every((point) => point === 0x10ffff)).toBe(true);
        expect(compare(prefix + other, successor)).toBeLessThan(0);
        if (compare(other, prefix) > 0 && !other.startsWith(prefix)) expect(compare(other, successor)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
