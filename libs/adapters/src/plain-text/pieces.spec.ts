import fc from 'fast-check';
import { piecesOf } from './pieces.js';

describe('the pieces of a long text', () => {
  it('are the text, none longer than twice the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word ', '\n', '\n\n', '```\n', '**b** ', 'x'.repeat(90)), { maxLength: 200 }),
        (parts) => {
          const pieces = piecesOf(parts.join(''), 100);
          expect(pieces.join('')).toBe(parts.join(''));
          expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(200);
        },
      ),
    );
  });

  const paragraphs = 'one\ntwo\nthree\n\n'.repeat(20);

  it('end at blank lines, each as soon as it has half the length', () => {
    expect(piecesOf(paragraphs, 100).filter((piece) => piece !== '')).toEqual(
      Array.from({ length: 5 }, () => 'one\ntwo\nthree\n\n'.repeat(4)),
    );
  });

  it('are one where the text is no longer than the limit, or cannot be cut without changing its looks', () => {
    expect(piecesOf(paragraphs.slice(0, 100), 100)).toHaveLength(1);
    expect(piecesOf('a **b** c d e f g h\n'.repeat(10), 100)).toHaveLength(1);
  });

  it.each(['    go on', '  go on', '\tgo on'])('never end before lines that belong to an item, as %j', (line) => {
    const item = `1. one\n\n${`${line}\n\n`.repeat(9)}`;
    expect(piecesOf(`${paragraphs}${item}${paragraphs}`, 100)).toContainEqual(expect.stringContaining(item));
  });

  it.each([
    ['```', '~~~'],
    ['~~~', 'x'],
    ['````', '```'],
    ['   ```', 'x'],
  ])('never end in code between %j, whatever %j is in it', (fence, other) => {
    const code = `${fence}\n${other}\n${'a line\n\n'.repeat(12)}${fence}\n`;
    const pieces = piecesOf(`${paragraphs}${code}\n${paragraphs}`, 100);
    expect(pieces).toContainEqual(expect.stringContaining(code));
  });
});
