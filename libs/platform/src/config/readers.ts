import { isIP } from 'node:net';
import { PASSWORD_CHARACTERS } from '@ports/setting-bounds';
import { DAY_MS } from '@ports/time-units';

/** Parses a variable, or throws an `Unreadable` that says what the text must be. */
export type Reader<Value> = (text: string) => Value;

/** The message completes "<variable> must be …". A text that may hold a password is not shown. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly isPrivate = false,
  ) {
    super(message);
  }
}

const MS_PER_UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d{1,9})(ms|s|m|h)$/;
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=?$/;
const MAX_WAIT_MS = 30 * DAY_MS;
const MAX_DURATION_MS = 365 * DAY_MS;
const MAX_ATTEMPTS = 50;

export const anyText: Reader<string> = (text) => text;

export const headerText: Reader<string> = (text) => {
  const value = text.trim();
  if (!/^[ -~]+$/.test(value)) throw new Unreadable('printable ASCII characters');
  return value;
};

export function wholeNumber(min: number, max: number): Reader<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < min || value > max) throw new Unreadable(`a whole number from ${min} to ${max}`);
    return value;
  };
}

export function share(max: number): Reader<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,4}(\.\d{1,9})?$/.test(text) || value > max) throw new Unreadable(`a number from 0 to ${max}`);
    return value;
  };
}

export function oneOf<Choice extends string>(...choices: readonly Choice[]): Reader<Choice> {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new Unreadable(choices.length > 1 ? `one of ${choices.join(', ')}` : choices.join());
    return found;
  };
}

export const truth: Reader<boolean> = (text) => oneOf('true', 'false')(text) === 'true';

/** A connection string with one of these schemes. Never shown: it may hold a password. */
export function connectionString(...schemes: readonly string[]): Reader<string> {
  return (text) => {
    const known = schemes.some((scheme) => text.startsWith(`${scheme}://`) && text.length > `${scheme}://`.length);
    if (!known || /\s/.test(text)) throw new Unreadable(`a connection string that begins with ${schemes[0]}://`, true);
    return text;
  };
}

/** `host:port`, separated by commas. The driver splits at the first colon, so IPv6 needs a host name. */
export const addresses: Reader<readonly string[]> = (text) => {
  const found = text.split(',').map((part) => part.trim());
  const isAddress = (part: string) => /^[\w.-]+:\d{1,5}$/.test(part) && Number(part.split(':').at(-1)) <= 65_535;
  if (!found.every(isAddress))
    throw new Unreadable('host:port, or several separated by commas, with a name in place of an IPv6 address');
  return found;
};

export const namePrefix: Reader<string> = (text) => {
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(text)) throw new Unreadable('up to 32 small letters, digits and dashes');
  return text;
};

export const schedule: Reader<readonly number[]> = (text) => {
  const parts = text.split(',').map((part) => part.trim());
  const waits = parts.map(durationMs);
  if (waits.length > MAX_ATTEMPTS || waits.some((wait) => wait === null || wait > MAX_WAIT_MS)) {
    throw new Unreadable(`up to ${MAX_ATTEMPTS} waits such as 0s,500ms,5m,24h, none longer than 30 days`);
  }
  return waits.map(Number);
};

/** Null for `off`. */
export const durationOrOff: Reader<number | null> = (text) => {
  if (text === 'off') return null;
  const [, days] = /^(\d{1,9})d$/.exec(text) ?? [];
  const ms = days === undefined ? durationMs(text) : Number(days) * DAY_MS;
  if (ms === null || ms === 0 || ms > MAX_DURATION_MS)
    throw new Unreadable('off, or a time such as 500ms, 12h or 5d, up to 365 days');
  return ms;
};

function durationMs(text: string): number | null {
  const [, amount, unit = ''] = DURATION.exec(text) ?? [];
  const factor = MS_PER_UNIT[unit];
  return amount === undefined || factor === undefined ? null : Number(amount) * factor;
}

export const cidrs: Reader<readonly string[]> = (text) => {
  const ranges = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (!ranges.every(isRange)) throw new Unreadable('address ranges such as 127.0.0.0/8,::1/128');
  return ranges;
};

function isRange(text: string): boolean {
  const [, address = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

export const base64Key: Reader<Uint8Array> = (text) => {
  if (!BASE64_OF_32_BYTES.test(text)) throw new Unreadable('base64 of 32 bytes (openssl rand -base64 32)');
  return new Uint8Array(Buffer.from(text, 'base64'));
};

export const apiKeySecret: Reader<string> = (text) => {
  if (!/^sk_[\x21-\x7e]{24,252}$/.test(text)) throw new Unreadable('sk_ and 24 to 252 printable characters');
  return text;
};

/** Refuses only too long a password: the first one may be short. */
export const password: Reader<string> = (text) => {
  const { most } = PASSWORD_CHARACTERS;
  if ([...text].length > most) throw new Unreadable(`at most ${most} characters`);
  return text;
};

/**
 * A base URL, without credentials: settings are logged, and HTTP clients do not send them. A key has a variable of its own.
 * `queryHint` tells where a query belongs.
 */
export function httpUrl(queryHint: string): Reader<string> {
  return (text) => {
    const { protocol = '', username = '', password: word = '' } = URL.canParse(text) ? new URL(text) : {};
    if (!/^https?:$/.test(protocol) || username !== '' || word !== '' || /[?#]/.test(text))
      throw new Unreadable(
        `an http: or https: URL without user name, password, query and fragment${text.includes('?') ? queryHint : ''}`,
        /[@?#]/.test(text),
      );
    return text;
  };
}

/** Where something is posted. Never shown: such addresses may contain a secret. */
export const postUrl: Reader<string> = (text) => {
  const { protocol = '', username = '', password: word = '' } = URL.canParse(text) ? new URL(text) : {};
  const isPlain = /^[!-~]+$/.test(text) && username === '' && word === '' && !text.includes('#');
  if (!/^https?:$/.test(protocol) || !isPlain)
    throw new Unreadable('an http: or https: URL without user name, password and fragment', true);
  return text;
};

/** The bounds of Standard Webhooks. */
const SECRET_BYTES = { least: 24, most: 64 };

export const signingSecret: Reader<string> = (text) => {
  const { least, most } = SECRET_BYTES;
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64').length;
  if (bytes < least || bytes > most) throw new Unreadable(`whsec_ and Base64 of ${least} to ${most} bytes`);
  return text;
};

export const originUrl: Reader<string> = (text) => {
  const { origin = 'null', protocol = '', href = '' } = URL.canParse(text) ? new URL(text) : {};
  if (!/^https?:$/.test(protocol) || href !== `${origin}/`) {
    throw new Unreadable('an http: or https: URL without anything behind host and port', text.includes('@'));
  }
  return origin;
};

type Texts = Readonly<Record<string, string>>;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A JSON object of texts. Never shown: they may be secret. */
function texts(example: string, isFit: (name: string, value: string) => boolean): Reader<Texts> {
  return (text) => {
    const value = jsonOf(text);
    const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [['', null]];
    const isGood = members.every(([name, member]) => typeof member === 'string' && isFit(String(name), member));
    if (!isGood) throw new Unreadable(`a JSON object of texts such as ${example}`, true);
    return Object.fromEntries(members) as Texts;
  };
}

export const queryTexts = texts('{"api-version":"2024-10-21"}', (name, value) => name !== '' && (name + value).isWellFormed());

/** Headers that the HTTP client sets itself. */
const MADE_BY_THE_CLIENT =
  /^(?:host|connection|content-length|content-type|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

export const headerTexts = texts(
  '{"api-key":"..."}',
  (name, value) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !MADE_BY_THE_CLIENT.test(name) && /^[\t -~]*$/.test(value),
);
