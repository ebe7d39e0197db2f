import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { HmacSha256 } from './hmac-sha256.js';

describe('a keyed hash', () => {
  it('is the one that OpenSSL makes, whatever its key and message', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 7_000 }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(text, { minLength: 1, maxLength: 4 }), (key, messages) => {
        const keyed = new HmacSha256(key);
        for (const encoding of ['hex', 'base64'] as const) {
          for (const message of messages) {
            expect(keyed.digest(message, encoding)).toBe(createHmac('sha256', key).update(message).digest(encoding));
          }
        }
      }),
    );
  });

  it('is the same for a lone half of a character, and for messages as long as there is room for or longer', () => {
    const key = Buffer.from('key');
    const keyed = new HmacSha256(key);
    const lengths = [0, 1, 5_440, 5_441, 16_320, 16_321, 300_000];
    for (const message of ['\ud800', 'a\udc00b', ...lengths.map((length) => 'ü'.repeat(length))]) {
      expect(keyed.digest(message, 'hex')).toBe(createHmac('sha256', key).update(message).digest('hex'));
    }
  });
});
