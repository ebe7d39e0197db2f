/** A text without escapes. */
export interface Unescaped {
  readonly text: string;
  /** Where each of its characters, and its end, lies in the text that it was made of. */
  readonly from: readonly number[];
}

/** The escapes of JSON and JavaScript strings, HTML and URLs. Strings within strings multiply the backslashes. */
const ESCAPES =
  /\\+(?:u([\da-f]{4})|x([\da-f]{2})|([^]))|&(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));|(%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3})/gi;
/** An escape of which the end is missing. */
const BEGUN_ESCAPE = /(?:\\{1,9}(?:u[\da-f]{0,3}|x[\da-f]?)?|&(?:#x?[\da-f]{0,6}|[a-z]{0,4})|(?:%[\da-f]{0,2}){1,4})$/i;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const WHITE_SPACE = /[bfnrt]/;
const LAST_CODE_POINT = 0x10ffff;
/** Texts are quoted within texts that are quoted: so many times at most. */
const MOST_ROUNDS = 4;

/**
 * The text as it was before it was quoted for JSON, HTML or a URL. A plus sign becomes a space, as in forms.
 * `isCut`: it may end within an escape, which is left out.
 */
export function unescaped(original: string, isCut: boolean): Unescaped {
  let found: Unescaped = { text: original, from: Array.from({ length: original.length + 1 }, (_, index) => index) };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { text } = found;
    found = unescapedOnce(isCut ? { ...found, text: text.replace(BEGUN_ESCAPE, '') } : found);
    if (found.text === text) break;
  }
  return { ...found, text: found.text.replaceAll('+', ' ') };
}

function unescapedOnce({ text, from }: Unescaped): Unescaped {
  const pieces: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const match of text.matchAll(ESCAPES)) {
    const meant = meaningOf(match);
    pieces.push(text.slice(at, match.index), meant);
    starts.push(...from.slice(at, match.index), ...new Array<number>(meant.length).fill(from[match.index] ?? 0));
    at = match.index + match[0].length;
  }
  return { text: pieces.join('') + text.slice(at), from: [...starts, ...from.slice(at, text.length + 1)] };
}

function meaningOf([escape, unit, byte, escaped, hexadecimal, decimal, name, octets]: RegExpExecArray): string {
  const code = unit ?? byte;
  if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
  if (escaped !== undefined) return WHITE_SPACE.test(escaped) ? ' ' : escaped;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? escape;
  if (octets !== undefined) return Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8');
  const codePoint = hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16);
  return codePoint > LAST_CODE_POINT ? escape : String.fromCodePoint(codePoint);
}
