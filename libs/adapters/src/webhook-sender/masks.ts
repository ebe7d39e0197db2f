import type { WebhookRequest } from '@ports/webhook-sender.port';

/** The text without secrets. `isCut`: it may end within one. */
export type Mask = (text: string, isCut: boolean) => string;

/** A text in which a secret may be written, in small letters. */
interface Form {
  readonly text: string;
  readonly shownAs: string;
  /** Of a long secret: masked within words too. */
  readonly isLong: boolean;
}

/** Where a secret stands in a text, and what replaces it. */
interface Masked {
  readonly start: number;
  readonly end: number;
  readonly shownAs: string;
}

const SIGNATURE = /\bv1[=,]([\w+/=-]{32,})/g;
const MIN_SIGNATURE = 32;
const CREDENTIALS = /^[A-Za-z][\w-]*[ \t]+(\S{4,})$/;
const NAMED = /[:=]["']?([^\s,;:="']{8,})/g;
const BASIC = /^basic[ \t]+([\w+/=-]+)$/i;
/** Shorter ones are taken out only where they stand alone: the rest of the text would suffer. */
const LONG = 8;
const MIN_REMAINDER = 4;
/** What JSON libraries write as `\u` escapes: nothing; all that is not ASCII; HTML's special characters too (.NET, Gson, Go). */
const CODE_POINTS = [/(?!)/g, /[^ -~]/g, /\\"|[&'+<>`]|[^ -~]/g, /[&'<=>]/g, /[&<>]/g];
const LETTER = /[\p{L}\p{N}]/u;
const ESCAPE = /(?:\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2})$/;
const MAX_ESCAPE = 6;

/**
 * Takes out what a receiver repeats of the signatures, with which a reader of the delivery log could forge webhooks, and of the
 * texts that are confidential: as they are, in any case, escaped for JSON, percent-encoded and in base64.
 */
export function maskFor({ headers, confidential = [] }: Pick<WebhookRequest, 'headers' | 'confidential'>): Mask {
  let forms: readonly Form[] | null = null;
  return (text, isCut) => {
    if (!isCut && confidential.length === 0 && text.length < MIN_SIGNATURE) return text;
    forms ??= [...formsOf(confidential.flatMap(partsOf), '********'), ...formsOf(signaturesIn(headers), '[redacted]')];
    const lower = inSmallLetters(text);
    return replaced(
      text,
      forms.flatMap((form) => [...occurrencesOf(form, lower), ...(isCut ? remainderOf(form, lower) : [])]),
    );
  };
}

function signaturesIn(headers: WebhookRequest['headers']): readonly string[] {
  return Object.values(headers).flatMap((value) => [...value.matchAll(SIGNATURE)].map(([, text = '']) => text));
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

function formsOf(secrets: readonly string[], shownAs: string): readonly Form[] {
  return [...new Set(secrets)]
    .filter((secret) => secret.trim() !== '')
    .flatMap((secret) => {
      const isLong = secret.length >= LONG;
      const texts = [secret, ...inJson(secret), ...inUrl(secret), ...(isLong ? inBase64(secret) : [])];
      return [...new Set(texts.map(inSmallLetters))].map((text) => ({ text, shownAs, isLong }));
    });
}

/** Of ASCII alone, so that every character stays at its place. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function inJson(secret: string): readonly string[] {
  const codePoint = (escaped: string) =>
    `\\u${escaped
      .charCodeAt(escaped.length - 1)
      .toString(16)
      .padStart(4, '0')}`;
  const texts = CODE_POINTS.map((each) => JSON.stringify(secret).slice(1, -1).replace(each, codePoint));
  return [...texts, ...texts.map((text) => text.replaceAll('/', String.raw`\/`))];
}

function inUrl(secret: string): readonly string[] {
  return [encodeURI(secret), encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)];
}

/** In both alphabets, wherever it begins among other bytes; without the digits that it shares with those. */
function inBase64(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function occurrencesOf({ text: form, shownAs, isLong }: Form, text: string): readonly Masked[] {
  const found: Masked[] = [];
  for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + form.length)) {
    const end = start + form.length;
    if (isLong || standsAlone(text, start, end)) found.push({ start, end, shownAs });
  }
  return found;
}

function standsAlone(text: string, start: number, end: number): boolean {
  const isBegun = LETTER.test(text.charAt(start - 1)) && !ESCAPE.test(text.slice(Math.max(0, start - MAX_ESCAPE), start));
  return !isBegun && !LETTER.test(text.charAt(end));
}

/** The beginning of a secret at the end of a text that was cut off. */
function remainderOf({ text: form, shownAs, isLong }: Form, text: string): readonly Masked[] {
  if (!isLong) return [];
  const begun = form.slice(0, MIN_REMAINDER);
  let start = text.indexOf(begun, text.length - form.length + 1);
  while (start >= 0 && !form.startsWith(text.slice(start))) start = text.indexOf(begun, start + 1);
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
