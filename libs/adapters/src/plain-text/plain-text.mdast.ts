import { PlainText } from '@ports/plain-text.port';

/** Any character or line start that could be markdown or HTML; everything else needs no parser. */
const COULD_BE_MARKUP = /[*_#`~[\]<&\\|]|^[ \t]*(?:>|[-+=]|\d{1,9}[.)]\s)|^(?: {4}|\t)/m;
const PIECE = 4_000;

/** Strips by parsing CommonMark, GitHub's extensions and HTML. The parsers are loaded when first needed. */
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
    const words = pieces.map((piece) => (/\n\s*$/.test(piece) ? `${wordsOf(piece)}\n\n` : `${wordsOf(piece)} `));
    return withoutTags(words.join('')).trim();
  }
}
