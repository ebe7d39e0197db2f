/** Letters and digits only, so that a double click selects a whole secret. */
export const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LARGEST_FAIR_BYTE = 256 - (256 % LETTERS.length);

/** Random letters and digits, of nearly 6 bits each. Skips bytes that would bias the result. */
export function randomLetters(bytes: (count: number) => Uint8Array, count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of bytes(count)) {
      if (byte < LARGEST_FAIR_BYTE && text.length < count) text += LETTERS.charAt(byte % LETTERS.length);
    }
  }
  return text;
}
