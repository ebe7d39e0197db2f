import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutShort } from './cut-short.js';
import { piecesOf } from './pieces.js';
import { withoutTags } from './without-tags.js';
import { wordsOf } from './words.js';

const PIECE = 2_000;
/** In characters. */
const READ_WHOLE = 1_000;

export interface LongText {
  readonly markdown: string;
  readonly withinMs: number;
}

/** Parses a long text as a whole, or in pieces if that takes too long, even if the layout suffers. Blocks the event loop for `withinMs`. */
export async function wordsOfLongText({ markdown, withinMs }: LongText): Promise<string> {
  if (markdown.length <= READ_WHOLE) return wordsOf(markdown).trim();
  const whole = cutShort(withinMs, () => wordsOf(markdown).trim());
  if (whole !== undefined) return whole;
  let words = '';
  for (const piece of piecesOf(markdown, PIECE)) {
    words += wordsOf(piece) + (/\n\s*$/.test(piece) ? '\n\n' : ' ');
    await nextTurn();
  }
  return withoutTags(words).trim();
}
