import { randomLetters } from './random-letters.js';

describe('random letters', () => {
  it('favour none of them', () => {
    const every = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);
    const counts = new Map<string, number>();
    for (const letter of randomLetters(() => every, 248)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect([...new Set(counts.values())]).toEqual([4]);
    expect(counts.size).toBe(62);
  });
});
