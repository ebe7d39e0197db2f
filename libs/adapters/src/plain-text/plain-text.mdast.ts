import { setImmediate as nextTurn } from 'node:timers/promises';
import { PlainText } from '@ports/plain-text.port';

/** Any character or line start that could be markdown or HTML; everything else needs no parser. */
const COULD_BE_MARKUP = /[*_#`~[\]<&\\|]|^[ \t]*(?:>|[-+=]|\d{1,9}[.)]\s)|^(?: {4}|\t)/m;
const PIECE = 4_000;

/**
 * Strips by parsing CommonMark, GitHub's extensions and HTML. The parsers are loaded when first needed, and others have
 * their turn between the pieces of a long text.
 */
export class MdastPlainText extends PlainText {
  async strip(markdown: string): Promise<string> {
    if (!COULD_BE_MARKUP.test(markdown)) return markdown;
    const [{ wordsOf }, { piecesOf }, { withoutTags }] = await Promise.all([
      import('./markdown-text.js'),
      import('./pieces.js'),
      import('./tag-free.js'),
    ]);
    const pieces = piecesOf(markdown, PIECE);
    if (pieces.length === 1) return wordsOf(markdown).trim();
    let words = '';
    for (const piece of pieces) {
      words += wordsOf(piece) + (/\n\s*$/.test(piece) ? '\n\n' : ' ');
      await nextTurn();
    }
    return withoutTags(words).trim();
  }
}
