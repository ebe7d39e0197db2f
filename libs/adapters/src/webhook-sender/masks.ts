import type { WebhookRequest } from '@ports/webhook-sender.port';
import { unescaped } from './unescaped.js';

/** The text without secrets. `isCut`: it may end within one. */
export type Mask = (text: string, isCut: boolean) => string;

interface Secret {
  readonly text: string;
  readonly shownAs: string;
  /** Found within words too, and in any case. */
  readonly isLong: boolean;
}

/** Where a secret stands in a text, and what replaces it. */
interface Masked {
  readonly start: number;
  readonly end: number;
  readonly shownAs: string;
}

const SIGNATURE = /\bv1[=,]([\w+/=-]{32,})/g;
const CREDENTIALS = /^[A-Za-z][\w-]*[ \t]+(\S{4,})$/;
const NAMED = /[:=]["']?([^\s,;:="']{8,})/g;
const BASIC = /^basic[ \t]+([\w+/=-]+)$/i;
const MAY_BE_ESCAPED = /[\\&%+]/;
/** Shorter ones are taken out only where they stand alone: the rest of the text would suffer. */
const LONG = 8;
const SHORTEST_REMAINDER = 4;
const SHORTEST_SIGNATURE = 32;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Takes out what a receiver repeats of the signatures, with which a reader of the delivery log could forge webhooks, and of the
 * texts that are confidential, however the receiver escaped them.
 */
export function maskFor({ headers, confidential = [] }: Pick<WebhookRequest, 'headers' | 'confidential'>): Mask {
  let found: readonly Secret[] | null = null;
  const shortest = confidential.length > 0 ? 1 : SHORTEST_SIGNATURE;
  return (text, isCut) => {
    if (text.length < Math.min(shortest, isCut ? SHORTEST_REMAINDER : shortest)) return text;
    const secrets = (found ??= secretsIn(headers, confidential));
    return replaced(text, maskedIn(text, secrets, isCut));
  };
}

function secretsIn(headers: WebhookRequest['headers'], confidential: readonly string[]): readonly Secret[] {
  const signatures = Object.values(headers).flatMap((value) => [...value.matchAll(SIGNATURE)].map(([, text = '']) => text));
  const parts = confidential.flatMap(partsOf);
  // Credentials are found in a value's encodings as well, and each text to look for costs time.
  const innermost = parts.filter((text) => !parts.some((part) => part !== text && part.length >= LONG && text.includes(part)));
  return [
    ...secretsOf([...parts, ...parts.map(plainly)], '********'),
    ...secretsOf(innermost.flatMap(encodingsOf), '********'),
    ...secretsOf([...signatures, ...signatures.map(plainly)], '[redacted]'),
  ];
}

function secretsOf(texts: readonly string[], shownAs: string): readonly Secret[] {
  const different = [...new Set(texts)].filter((text) => text.trim() !== '');
  return different.map((text) => ({ text, shownAs, isLong: text.length >= LONG }));
}

/** A secret may hold what looks like an escape, and be found in a text without escapes. */
function plainly(secret: string): string {
  return unescaped(secret, false).text.replace(/\\+$/, '');
}

/** The value itself, the credentials behind its scheme or a name, and for Basic what they encode, with the password alone. */
function partsOf(value: string): readonly string[] {
  const whole = value.trim();
  const [, ...credentials] = CREDENTIALS.exec(whole) ?? [];
  const named = [...whole.matchAll(NAMED)].map(([, text = '']) => text);
  const [, encoded] = BASIC.exec(whole) ?? [];
  const login = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const password = login.slice(login.indexOf(':') + 1);
  return [whole, ...credentials, ...named, ...(login.includes(':') ? [login, password] : [])];
}

/** A long text in base64, wherever it begins among other bytes (with spaces where it was unescaped), and in hexadecimal digits. */
function encodingsOf(text: string): readonly string[] {
  if (text.length < LONG) return [];
  const bytes = Buffer.from(text);
  const inBase64 = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const forms = inBase64.flatMap((digits) => [
    digits,
    digits.replaceAll('+', ' '),
    digits.replaceAll('+', '-').replaceAll('/', '_'),
  ]);
  return [...forms, bytes.toString('hex')];
}

function maskedIn(text: string, secrets: readonly Secret[], isCut: boolean): readonly Masked[] {
  const asWritten = piecesOf(text, secrets, isCut);
  if (!MAY_BE_ESCAPED.test(text)) return asWritten;
  const plain = unescaped(text, isCut);
  const originOf = (index: number) => plain.from[index] ?? text.length;
  return [
    ...asWritten,
    ...piecesOf(plain.text, secrets, isCut).map((each) => ({ ...each, start: originOf(each.start), end: originOf(each.end) })),
  ];
}

function piecesOf(text: string, secrets: readonly Secret[], isCut: boolean): readonly Masked[] {
  const lower = text.toLowerCase();
  return secrets.flatMap((secret) => {
    const isThere = secret.isLong ? lower.includes(secret.text.toLowerCase()) : text.includes(secret.text);
    return [...(isThere ? occurrencesOf(secret, text) : []), ...(isCut ? remainderOf(secret, text) : [])];
  });
}

function occurrencesOf({ text: secret, shownAs, isLong }: Secret, text: string): readonly Masked[] {
  const literally = secret.replace(SYNTAX, String.raw`\$&`);
  const pattern = isLong ? literally : `(?<![\\p{L}\\p{N}])${literally}(?![\\p{L}\\p{N}])`;
  return [...text.matchAll(new RegExp(pattern, isLong ? 'giu' : 'gu'))].map(({ index }) => ({
    start: index,
    end: index + secret.length,
    shownAs,
  }));
}

/** The beginning of a secret at the end of a text that was cut off. */
function remainderOf({ text: secret, shownAs, isLong }: Secret, text: string): readonly Masked[] {
  if (!isLong) return [];
  const begun = secret.slice(0, SHORTEST_REMAINDER);
  let start = text.indexOf(begun, text.length - secret.length + 1);
  while (start >= 0 && !secret.startsWith(text.slice(start))) start = text.indexOf(begun, start + 1);
  return start < 0 ? [] : [{ start, end: Infinity, shownAs }];
}

/** Pieces that overlap are shown as one. */
function replaced(text: string, pieces: readonly Masked[]): string {
  let shown = '';
  let at = 0;
  for (const { start, end, shownAs } of pieces.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) shown += text.slice(at, start) + shownAs;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}
