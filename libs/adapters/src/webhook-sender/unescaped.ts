/** A text without escapes. */
export interface Unescaped {
  readonly text: string;
  /** Where each of its characters, and its end, lies in the text that it was made of. */
  readonly from: readonly number[];
}

/** The characters of ASCII that HTML has names for; `commat` stands before `comma`, with which it begins. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  Tab: ' ',
  NewLine: ' ',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  commat: '@',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
};
/** The escapes of JSON and JavaScript strings, HTML and URLs. Strings within strings multiply the backslashes. */
const ESCAPES = new RegExp(
  [
    String.raw`\\+(?:u(?<unit>[\da-f]{4})|u\{0*(?<point>[\da-f]{1,6})\}|x(?<byte>[\da-f]{2})|(?<escaped>[^]))`,
    String.raw`&(?:#x0*(?<hexadecimal>[\da-f]{1,6})|#0*(?<decimal>\d{1,7})|(?<name>${Object.keys(NAMED).join('|')}));?`,
    String.raw`%u(?<wide>[\da-f]{4})|(?<octets>%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3})`,
  ].join('|'),
  'gi',
);
/** An escape of which the end is missing. */
const BEGUN_ESCAPE =
  /(?:\\{1,9}(?:u(?:\{[\da-f]{0,6}|[\da-f]{0,3})|x[\da-f]?)?|&(?:#x?[\da-f]{0,6}|[a-z]{0,6})|%u[\da-f]{0,3}|(?:%[\da-f]{0,2}){1,4})$/i;
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

function meaningOf({ 0: escape, groups = {} }: RegExpExecArray): string {
  const { unit, point, byte, escaped, hexadecimal, decimal, name, wide, octets } = groups;
  if (escaped !== undefined) return WHITE_SPACE.test(escaped) ? ' ' : escaped;
  if (name !== undefined) return NAMED[name] ?? NAMED[name.toLowerCase()] ?? escape;
  if (octets !== undefined) return Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8');
  const unitOrPoint = unit ?? byte ?? wide ?? point ?? hexadecimal;
  const code = unitOrPoint === undefined ? Number(decimal) : parseInt(unitOrPoint, 16);
  // Half a surrogate pair stays half of one, which the other half completes.
  return code > LAST_CODE_POINT ? escape : String.fromCodePoint(code);
}
