/** Letters and digits only, so that a double click selects the whole secret. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LARGEST_FAIR_BYTE = 256 - (256 % ALPHABET.length);
const RANDOM_LETTERS = 30;
const CHECKSUM_LETTERS = 6;

export const API_KEY_PREFIX = 'sk_';
const SHOWN = API_KEY_PREFIX.length + 4;

/** A secret of `letters` random letters and digits; 30 of them are 178 bits. Bytes that would favour some letter are passed over. */
export function randomLetters(bytes: (count: number) => Uint8Array, letters = RANDOM_LETTERS): string {
  let text = '';
  while (text.length < letters) {
    for (const byte of bytes(letters)) {
      if (byte < LARGEST_FAIR_BYTE && text.length < letters) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}

/** A new key's secret. The checksum lets scanners tell a leaked key from noise; nothing here ever trusts it. */
export function newApiKeySecret(bytes: (count: number) => Uint8Array, hash: (text: string) => string): string {
  const body = `${API_KEY_PREFIX}${randomLetters(bytes)}`;
  return body + checksum(hash(body));
}

/** The beginning of a secret, to recognise it by. */
export function shownPrefix(secret: string): string {
  return secret.slice(0, SHOWN);
}

function checksum(hash: string): string {
  let rest = parseInt(hash.slice(0, 12), 16);
  let text = '';
  for (let letter = 0; letter < CHECKSUM_LETTERS; letter++) {
    text += ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
