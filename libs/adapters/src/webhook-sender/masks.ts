import type { WebhookRequest } from '@ports/webhook-sender.port';

/** The text without secrets. `isCut`: it may end within one. */
export type Mask = (text: string, isCut: boolean) => string;

interface Secret {
  readonly text: string;
  readonly shownAs: string;
  /** Found within words too. */
  readonly isLong: boolean;
}

const SIGNATURE = /\bv1[=,]([\w+/=-]{32,})/g;
const CREDENTIALS = /^[A-Za-z][\w-]*[ \t]+(\S{4,})$/;
const BASIC = /^basic[ \t]+([\w+/=-]+)$/i;
/** Shorter ones are taken out only where they stand alone: the rest of the text would suffer. */
const LONG = 8;
const SHORTEST_REMAINDER = 4;
const SHORTEST_SIGNATURE = 32;
const SYNTAX = /[\\^$.*+?()[\]{}|/-]/g;

/**
 * Takes out what a receiver repeats of the signatures, with which a reader of the delivery log could forge webhooks, and of the
 * texts that are confidential, in the forms in which receivers quote what they were sent.
 */
export function maskFor({ headers, confidential = [] }: Pick<WebhookRequest, 'headers' | 'confidential'>): Mask {
  let found: readonly Secret[] | null = null;
  const shortest = confidential.length > 0 ? 1 : SHORTEST_SIGNATURE;
  return (text, isCut) => {
    if (text.length < Math.min(shortest, isCut ? SHORTEST_REMAINDER : shortest)) return text;
    const secrets = (found ??= secretsIn(headers, confidential));
    const masked = secrets.reduce((rest, secret) => without(rest, secret), text);
    return isCut ? secrets.reduce((rest, secret) => withoutRemainder(rest, secret), masked) : masked;
  };
}

function secretsIn(headers: WebhookRequest['headers'], confidential: readonly string[]): readonly Secret[] {
  const signatures = Object.values(headers).flatMap((value) => [...value.matchAll(SIGNATURE)].map(([, text = '']) => text));
  return [...secretsOf(confidential.flatMap(partsOf).flatMap(spellingsOf), '********'), ...secretsOf(signatures, '[redacted]')];
}

/** The longest first, since one may hold another. */
function secretsOf(texts: readonly string[], shownAs: string): readonly Secret[] {
  const different = [...new Set(texts)].filter((text) => text.trim() !== '');
  return different.map((text) => ({ text, shownAs, isLong: text.length >= LONG })).sort((a, b) => b.text.length - a.text.length);
}

/** The value itself, the credentials behind its scheme, and for Basic what they encode, with the password alone. */
function partsOf(value: string): readonly string[] {
  const [, credentials] = CREDENTIALS.exec(value) ?? [];
  const [, encoded] = BASIC.exec(value) ?? [];
  const login = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const password = login.slice(login.indexOf(':') + 1);
  return [value, ...(credentials === undefined ? [] : [credentials]), ...(login.includes(':') ? [login, password] : [])];
}

/** As written, in JSON, in HTML and in a URL. */
function spellingsOf(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const url = encodeURIComponent(text.toWellFormed());
  return [text, json, json.replaceAll('/', '\\/'), html, html.replaceAll("'", '&#39;'), url, url.replaceAll('%20', '+')];
}

function without(text: string, { text: secret, shownAs, isLong }: Secret): string {
  if (!text.includes(secret)) return text;
  if (isLong) return text.replaceAll(secret, shownAs);
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${secret.replace(SYNTAX, String.raw`\$&`)}(?![\\p{L}\\p{N}])`, 'gu');
  return text.replaceAll(alone, shownAs);
}

/** Without the beginning of a secret at the end of a text that was cut off. */
function withoutRemainder(text: string, { text: secret, shownAs, isLong }: Secret): string {
  if (!isLong) return text;
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST_REMAINDER; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + shownAs;
  }
  return text;
}
