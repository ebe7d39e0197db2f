import { setImmediate as nextTurn } from 'node:timers/promises';
import { PlainText } from '@ports/plain-text.port';

/** Any character or line start that could be markdown or HTML; everything else needs no parser. */
const COULD_BE_MARKUP = /[*_#`~[\]<&\\|]|^[ \t]*(?:>|[-+=]|\d{1,9}[.)]\s)|^(?: {4}|\t)/m;
const WITHIN_MS = 1_000;
/** Is read in some ten milliseconds, whatever it is. */
const SHORT = 1_000;
const PIECE = 4_000;

/**
 * Strips by parsing CommonMark, GitHub's extensions and HTML. The parsers are loaded when first needed. A text that would
 * hold up the others for long is read again in pieces between which they have their turn, whatever that costs its looks.
 */
export class MdastPlainText extends PlainText {
  constructor(private readonly withinMs = WITHIN_MS) {
    super();
  }

  async strip(markdown: string): Promise<string> {
    if (!COULD_BE_MARKUP.test(markdown)) return markdown;
    const [{ wordsOf }, { piecesOf }, { withoutTags }, { cutShort }] = await Promise.all([
      import('./markdown-text.js'),
      import('./pieces.js'),
      import('./tag-free.js'),
      import('./cut-short.js'),
    ]);
    const read = () => wordsOf(markdown).trim();
    const whole = markdown.length <= SHORT ? read() : cutShort(this.withinMs, read);
    if (whole !== undefined) return whole;
    let words = '';
    for (const piece of piecesOf(markdown, PIECE)) {
      words += wordsOf(piece) + (/\n\s*$/.test(piece) ? '\n\n' : ' ');
      await nextTurn();
    }
    return withoutTags(words).trim();
  }
}
