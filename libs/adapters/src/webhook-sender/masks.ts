import type { WebhookRequest } from '@ports/webhook-sender.port';
import { unescaped } from './unescaped.js';

/** The text without secrets. `isCut`: it may end within one. */
export type Mask = (text: string, isCut: boolean) => string;

interface Secret {
  readonly text: string;
  readonly shownAs: string;
  /** Found within words too. */
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
  return [...secretsOf(confidential.flatMap(partsOf), '********'), ...secretsOf(signatures, '[redacted]')];
}

/** As they are and unescaped, since they may hold what looks like an escape. */
function secretsOf(texts: readonly string[], shownAs: string): readonly Secret[] {
  const different = new Set(texts.flatMap((text) => [text, unescaped(text, false).text.replace(/\\+$/, '')]));
  return [...different].filter((text) => text.trim() !== '').map((text) => ({ text, shownAs, isLong: text.length >= LONG }));
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
  return secrets.flatMap((secret) => [...occurrencesOf(secret, text), ...(isCut ? remainderOf(secret, text) : [])]);
}

function occurrencesOf({ text: secret, shownAs, isLong }: Secret, text: string): readonly Masked[] {
  if (!text.includes(secret)) return [];
  const literally = secret.replace(SYNTAX, String.raw`\$&`);
  const pattern = isLong ? literally : `(?<![\\p{L}\\p{N}])${literally}(?![\\p{L}\\p{N}])`;
  return [...text.matchAll(new RegExp(pattern, 'gu'))].map(({ index }) => ({
    start: index,
    end: index + secret.length,
    shownAs,
  }));
}

/** The beginning of a secret at the end of a text that was cut off. */
function remainderOf({ text: secret, shownAs, isLong }: Secret, text: string): readonly Masked[] {
  if (!isLong) return [];
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST_REMAINDER; length--) {
    if (text.endsWith(secret.slice(0, length))) return [{ start: text.length - length, end: Infinity, shownAs }];
  }
  return [];
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
