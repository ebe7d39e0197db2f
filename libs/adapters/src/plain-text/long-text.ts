import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutShort } from './cut-short.js';
import { piecesOf } from './pieces.js';
import { withoutTags } from './without-tags.js';
import { wordsOf } from './words.js';

const PIECE = 2_000;
/** In characters. */
const READ_WHOLE = 1_000;

/** A text that is neither short nor ordinary, and how long parsing it as a whole may take. */
export interface LongText {
  readonly markdown: string;
  readonly withinMs: number;
}

/**
 * The words of a long text: parsed as a whole, or in pieces where that takes too long, even if its layout suffers. The event loop
 * is blocked for as long as the whole may take, and has its turn between the pieces.
 */
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
