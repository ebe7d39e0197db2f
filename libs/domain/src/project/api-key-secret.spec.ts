import fc from 'fast-check';
import { newApiKeySecret, randomLetters, shownPrefix } from './api-key-secret.js';

const hash = (text: string): string => text.length.toString(16).padStart(64, 'ab');

describe('an API key secret', () => {
  it('is sk_, thirty random letters and digits, and a checksum of six', () =>
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(255)), (chance) => {
        const secret = newApiKeySecret((count) => Uint8Array.from([...chance.take(count)]), hash);
        expect(secret).toMatch(/^sk_[0-9A-Za-z]{36}$/);
      }),
      { numRuns: 50 },
    ));

  it('shows four letters after its prefix', () => expect(shownPrefix('sk_abcdefgh')).toBe('sk_abcd'));

  it('favours no letter', () => {
    const every = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);
    const counts = new Map<string, number>();
    for (const letter of randomLetters(() => every, 248)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect([...new Set(counts.values())]).toEqual([4]);
    expect(counts.size).toBe(62);
  });
});
