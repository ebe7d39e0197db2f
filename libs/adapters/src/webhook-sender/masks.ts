import type { WebhookRequest } from '@ports/webhook-sender.port';

/** Removes secrets. `isCut`: the text may end within one. */
export type Mask = (text: string, isCut: boolean) => string;

interface Form {
  readonly text: string;
  readonly shownAs: string;
  readonly isLong: boolean;
}

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
/** Shorter secrets are masked only as whole words, to spare the rest of the text. */
const LONG = 8;
const MIN_REMAINDER = 4;
/** What JSON libraries escape with `\u`: nothing; non-ASCII; HTML's special characters too (.NET, Gson, Go). */
const CODE_POINTS = [/(?!)/g, /[^ -~]/g, /\\"|[&'+<>`]|[^ -~]/g, /[&'<=>]/g, /[&<>]/g];
const LETTER = /[\p{L}\p{N}]/u;
const ESCAPE = /(?:\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2})$/;
const MAX_ESCAPE = 6;

/** Masks signatures, with which a reader of the delivery log could forge webhooks, and confidential texts, in all usual encodings. */
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

/** The value itself, the credentials after its scheme or a name, and for Basic the decoded credentials and the password. */
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

/** ASCII only, so that every character keeps its place. */
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

/** In both base64 alphabets and at each of three offsets, without the digits shared with neighbouring bytes. */
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

function remainderOf({ text: form, shownAs, isLong }: Form, text: string): readonly Masked[] {
  if (!isLong) return [];
  const begun = form.slice(0, MIN_REMAINDER);
  let start = text.indexOf(begun, text.length - form.length + 1);
  while (start >= 0 && !form.startsWith(text.slice(start))) start = text.indexOf(begun, start + 1);
  return start < 0 ? [] : [{ start, end: Infinity, shownAs }];
}

function replaced(text: string, pieces: readonly Masked[]): string {
  let shown = '';
  let at = 0;
  for (const { start, end, shownAs } of pieces.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) shown += text.slice(at, start) + shownAs;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}
