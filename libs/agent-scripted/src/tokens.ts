/** What a piece of a message looks like, before anybody asks what it means. */
type TokenKind = 'word' | 'number' | 'ordinal' | 'instant' | 'date' | 'clock' | 'length' | 'contact' | 'emoji' | 'sign';

export interface Token {
  readonly kind: TokenKind;
  /** In lower case, as the tables have it. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Counts the parts between marks such as commas and full stops. */
  readonly clause: number;
}

export interface Text {
  readonly content: string;
  readonly tokens: readonly Token[];
  readonly hasQuestionMark: boolean;
}

const KINDS: readonly (readonly [TokenKind, string])[] = [
  ['contact', String.raw`[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+`],
  ['sign', String.raw`(?:https?:\/\/|www\.)\S+`],
  ['instant', String.raw`\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|\+\d\d:?\d\d)?(?!\d)`],
  [
    'date',
    String.raw`\d{4}[-/]\d\d[-/]\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)(?!\d)|\d{1,2}\.\d{1,2}\.(?!\d)|\d{1,2}\/\d{1,2}(?![\d/])`,
  ],
  ['clock', String.raw`\d{1,2}[:.h]\d\d(?!\d)(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?(?:[ap]\.?m\b\.?|o'?clock\b)`],
  ['length', String.raw`\d{1,3}(?:\.\d)?[\s-]?(?:hours?|hrs?|hr|h|minutes?|mins?|min)\b`],
  ['contact', String.raw`(?:\+|\b0)\d[\d ()/-]{5,18}\d|\(?\d{3}\)?[ -]\d{3}[ -]\d{4}|\b\d{3}-\d{4}\b|\b\d{7,}\b`],
  ['ordinal', String.raw`\d{1,2}(?:st|nd|rd|th)\b`],
  ['number', String.raw`\d+`],
  ['word', String.raw`[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|@(?=[\s\d])`],
  ['emoji', String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*`],
  ['sign', String.raw`[^\s\p{P}\p{Cf}\p{Sk}]`],
];

/** One group for each kind; what is in none of them is punctuation. */
const PIECE = new RegExp(`${KINDS.map(([, form]) => `(${form})`).join('|')}|\\S`, 'giu');
/** With `T`, an offset may be negative too; behind a space a second time may stand for the end. */
const NEGATIVE_OFFSET = /^-\d\d:?\d\d(?!\d)/;
const CLAUSE_MARK = /[,;.!?:()–—]/;

/** The pieces of a message, from left to right. Punctuation is none; of each word nothing is left out. */
export function tokensOf(written: string): Text {
  const content = written.replace(/[’‘ʼ]/g, "'");
  const tokens: Token[] = [];
  let clause = 0;
  PIECE.lastIndex = 0;
  for (let found = PIECE.exec(content); found !== null; found = PIECE.exec(content)) {
    const kind = KINDS[found.findIndex((group, index) => index > 0 && group !== undefined) - 1]?.[0];
    if (kind === undefined) {
      if (CLAUSE_MARK.test(found[0])) clause++;
      continue;
    }
    const offset = kind === 'instant' && /t/i.test(found[0]) ? NEGATIVE_OFFSET.exec(content.slice(PIECE.lastIndex)) : null;
    const text = found[0] + (offset?.[0] ?? '');
    PIECE.lastIndex = found.index + text.length;
    tokens.push({ kind, word: wordOf(kind, text), start: found.index, end: PIECE.lastIndex, clause });
  }
  return { content, tokens, hasQuestionMark: /[?？]/.test(content) };
}

function wordOf(kind: TokenKind, text: string): string {
  if (kind === 'emoji') return text.replace(/\p{Emoji_Modifier}|\uFE0F/gu, '');
  return text === '@' ? 'at' : text.toLowerCase();
}
