import { Tokenizer } from 'parse5';
import type { Token } from 'parse5';

const TAG_LIKE = /<(?:[a-z!?]|\/[a-z])/i;
const TAG_START = /<(?=[a-z!?]|\/[a-z])/gi;
const SIMPLE_TAG = /<\/?[a-z!?][^<>]*>/gi;
const PASSES = 5;

interface Scan {
  readonly kept: string;
  readonly unfinished: number | null;
}

/** Keeps the text of what only a browser takes for a comment, such as "</3 me", without tags inside. */
function wordsOfTag(tag: string): string {
  if (TAG_LIKE.test(tag.slice(0, 3))) return '';
  return tag.slice(0, 2) + tag.slice(2).replace(SIMPLE_TAG, '').replace(TAG_START, '');
}

function scan(text: string): Scan {
  let kept = '';
  let end = 0;
  const take = (token: Token.Token, read: (source: string) => string) => {
    const { startOffset, endOffset } = token.location ?? { startOffset: end, endOffset: end };
    kept += read(text.slice(startOffset, endOffset));
    end = endOffset;
  };
  const keep = (token: Token.Token) => take(token, (source) => source);
  const drop = (token: Token.Token) => take(token, wordsOfTag);
  new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onCharacter: keep,
      onWhitespaceCharacter: keep,
      onNullCharacter: keep,
      onComment: (token) => (text[(token.location?.endOffset ?? 0) - 1] === '>' ? drop(token) : undefined),
      onDoctype: drop,
      onStartTag: drop,
      onEndTag: drop,
      onParseError: null,
      onEof: () => undefined,
    },
  ).write(text, true);
  return { kept, unfinished: end < text.length ? end : null };
}

function pass(text: string): string {
  const { kept, unfinished } = scan(text);
  if (unfinished === null) return kept;
  const rest = text.slice(unfinished);
  // Without a '>' nothing takes it for a tag; it may be a comparison.
  return kept + (rest.includes('>') ? rest.replace(TAG_START, '') : rest);
}

/** Without HTML tags and comments. Text between tags stays; entities are not decoded. */
export function withoutTags(text: string): string {
  let current = text;
  for (let count = 0; count < PASSES && TAG_LIKE.test(current); count += 1) {
    const next = pass(current);
    if (next === current) return current;
    current = next;
  }
  return TAG_LIKE.test(current) && current.includes('>') ? current.replaceAll('<', '') : current;
}
