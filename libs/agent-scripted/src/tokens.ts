export interface Token {
  /** Lower case, without spaces, as in the tables. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Numbers the parts between marks such as commas and full stops. */
  readonly clause: number;
}

/** Replaces phone numbers and addresses in the tables. */
const CONTACT = '@contact';

const TIME = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?`;
const OFFSET = String.raw`\d\d:?\d\d`;
const PIECES = [
  // After a space an offset must be positive: a dash would begin the end time.
  String.raw`\d{4}-\d\d-\d\d(?:T${TIME}(?:Z|[+-]${OFFSET})|[T ]${TIME}(?:Z|\+${OFFSET}))(?!\d)`,
  String.raw`\d{4}[-/]\d\d[-/]\d\d(?:T(?=\d\d:)|(?!\d))`,
  String.raw`\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)(?!\d)|\d{1,2}\.\d{1,2}\.(?!\d)|\d{1,2}\/\d{1,2}(?![\d/])`,
  String.raw`\d{1,2}(?:[:.h]\d\d)?\s?[ap]\.?m\b\.?|\d{1,2}[:.h]\d\d(?::\d\d(?:\.\d+)?)?(?!\d)`,
  String.raw`(?<contact>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+|(?:\+|\b0)\d[\d ()/-]{5,18}\d|\(?\d{3}\)?[ -]\d{3}[ -]\d{4}|\b\d{3}-\d{4}\b|\b\d{7,}\b)`,
  String.raw`(?:https?:\/\/|www\.)\S+`,
  String.raw`\d+(?:\.\d(?=[ -]?(?:h|min)))?`,
  String.raw`[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|@(?=[\s\d])`,
  String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic})*`,
  String.raw`[^\s\p{P}\p{Cf}\p{Sk}]`,
];
const PIECE = new RegExp(`(?<piece>${PIECES.join('|')})|\\S`, 'giu');
const CLAUSE_MARK = /[,;.!?:()–—]/;

export function tokensOf(content: string): readonly Token[] {
  const tokens: Token[] = [];
  let clause = 0;
  for (const { 0: text, index: start, groups } of content.matchAll(PIECE)) {
    if (groups?.['piece'] !== undefined)
      tokens.push({ word: groups['contact'] ? CONTACT : wordOf(text), start, end: start + text.length, clause });
    else if (CLAUSE_MARK.test(text)) clause++;
  }
  return tokens;
}

function wordOf(text: string): string {
  if (text === '@') return 'at';
  const word = text.toLowerCase().replace(/\p{Emoji_Modifier}|\uFE0F/gu, '');
  return /^\d.*m\.?$/.test(word) ? word.replace(/\s?([ap])\.?m\.?$/, '$1m') : word.replace(' ', 't');
}
