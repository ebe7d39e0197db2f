import { LETTERS, randomLetters } from '../kernel/random-letters.js';

/** 30 letters carry 178 bits. */
const RANDOM_LETTERS = 30;
const CHECKSUM_LETTERS = 6;

export const API_KEY_PREFIX = 'sk_';
const SHOWN = API_KEY_PREFIX.length + 4;

/** The checksum lets scanners recognize a leaked key; authentication does not rely on it. */
export function newApiKeySecret(bytes: (count: number) => Uint8Array, hash: (text: string) => string): string {
  const body = `${API_KEY_PREFIX}${randomLetters(bytes, RANDOM_LETTERS)}`;
  return body + checksum(hash(body));
}

export function shownPrefix(secret: string): string {
  return secret.slice(0, SHOWN);
}

function checksum(hash: string): string {
  let rest = parseInt(hash.slice(0, 12), 16);
  let text = '';
  for (let letter = 0; letter < CHECKSUM_LETTERS; letter++) {
    text += LETTERS.charAt(rest % LETTERS.length);
    rest = Math.floor(rest / LETTERS.length);
  }
  return text;
}
