/** A public id is `<prefix>_` and a 26-character ULID. */
export const ID_PREFIXES = {
  conversation: 'conv',
  message: 'msg',
  customer: 'cust',
  event: 'evt',
  delivery: 'whd',
  request: 'req',
  endpoint: 'we',
  appointment: 'apt',
  session: 'sess',
  turn: 'turn',
  action: 'act',
  attempt: 'att',
  apiKey: 'key',
  project: 'prj',
  correlation: 'cor',
  issue: 'iss',
  task: 'task',
  adminSession: 'ases',
  audit: 'aud',
  skippedEvent: 'skip',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Crockford base 32, in the order of its values. */
export const ULID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const ULID = new RegExp(`^${ULID_PATTERN}$`);

/** A regular expression for ids of this kind; also shown in the OpenAPI document. */
export function idPattern(kind: IdKind): string {
  return `^${ID_PREFIXES[kind]}_${ULID_PATTERN}$`;
}

export function isId(kind: IdKind, text: unknown): text is string {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return typeof text === 'string' && text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
}

/** The instant (epoch milliseconds) in an id that passed `isId`. */
export function timeOfId(id: string): number {
  const ulid = id.slice(id.lastIndexOf('_') + 1);
  return Array.from(ulid.slice(0, 10)).reduce((time, letter) => time * 32 + ULID_ALPHABET.indexOf(letter), 0);
}

/** The 10 random bytes in an id that passed `isId`. */
export function chanceOfId(id: string): Uint8Array {
  const bytes = new Uint8Array(10);
  let bits = 0;
  let pending = 0;
  let next = 0;
  for (const letter of id.slice(-16)) {
    pending = (pending << 5) | ULID_ALPHABET.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[next++] = (pending >> bits) & 255;
    pending &= (1 << bits) - 1;
  }
  return bytes;
}

export function encodeUlid(time: number, chance: Uint8Array): string {
  return encodeTime(time) + encodeBytes(chance);
}

function encodeTime(time: number): string {
  let high = Math.floor(time / 2 ** 25);
  let low = time % 2 ** 25;
  let text = '';
  for (let digit = 0; digit < 5; digit++) {
    text = ULID_ALPHABET.charAt(low & 31) + text;
    low >>>= 5;
  }
  for (let digit = 0; digit < 5; digit++) {
    text = ULID_ALPHABET.charAt(high & 31) + text;
    high >>>= 5;
  }
  return text;
}

function encodeBytes(bytes: Uint8Array): string {
  let text = '';
  let pending = 0;
  let bits = 0;
  for (let index = 0; index < 10; index++) {
    pending = ((pending << 8) | (bytes[index] ?? 0)) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) text += ULID_ALPHABET.charAt((pending >>> (bits - 5)) & 31);
  }
  return text;
}
