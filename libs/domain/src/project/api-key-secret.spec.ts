import fc from 'fast-check';
import { newApiKeySecret, shownPrefix } from './api-key-secret.js';

const hash = (text: string): string => text.length.toString(16).padStart(64, 'ab');

describe('an API key secret', () => {
  it('is sk_, thirty random letters and digits, and a checksum of six', () =>
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(255)), (chance) => {
        const secret = newApiKeySecret((count) => Uint8Array.from(chance.take(count)), hash);
        expect(secret).toMatch(/^sk_[0-9A-Za-z]{36}$/);
      }),
      { numRuns: 50 },
    ));

  it('shows four letters after its prefix', () => expect(shownPrefix('sk_abcdefgh')).toBe('sk_abcd'));
});
