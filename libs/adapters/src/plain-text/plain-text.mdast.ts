import { setImmediate as nextTurn } from 'node:timers/promises';
import { Budget } from '@kit/budget';
import { PlainText } from '@ports/plain-text.port';

/** Any character or line start that could be markdown or HTML; everything else needs no parser. */
const COULD_BE_MARKUP = /[*_#`~[\]<&\\|]|^[ \t]*(?:>|[-+=]|\d{1,9}[.)]\s)|^(?: {4}|\t)/m;
/** How long parsing a text as a whole may block the event loop; a fifth of it for a dense text. */
const WITHIN_MS = 500;
/** In characters. Parsing takes a few milliseconds: for any text up to the first, for one that is not dense up to the second. */
const SHORT = { any: 200, notDense: 1_000 };
const PIECE = 2_000;
const NOBODY = '';

/**
 * Strips by parsing CommonMark, GitHub's extensions and HTML. The parsers are loaded at first use. A text that would block the
 * event loop for long is parsed again in pieces, with other work between them, even where that breaks its layout. Long texts are
 * parsed one at a time, projects in turn: many of them delay other work no longer than one does.
 */
export class MdastPlainText extends PlainText {
  private readonly longTexts = new Budget({ total: 1, perOwner: 1, least: 0 });

  constructor(private readonly withinMs = WITHIN_MS) {
    super();
  }

  async strip(markdown: string, projectId = NOBODY): Promise<string> {
    if (!COULD_BE_MARKUP.test(markdown)) return markdown;
    const { wordsOf, isDense } = await parsers();
    if (markdown.length <= SHORT.any) return wordsOf(markdown).trim();
    const dense = isDense(markdown);
    if (markdown.length <= SHORT.notDense && !dense) return wordsOf(markdown).trim();
    return this.longTexts.run(projectId, 1, async () => {
      await nextTurn();
      return this.wholeOrInPieces(markdown, dense);
    });
  }

  private async wholeOrInPieces(markdown: string, dense: boolean): Promise<string> {
    const { wordsOf, piecesOf, withoutTags, cutShort } = await parsers();
    const read = () => wordsOf(markdown).trim();
    if (markdown.length <= SHORT.notDense) return read();
    const whole = cutShort(dense ? Math.ceil(this.withinMs / 5) : this.withinMs, read);
    if (whole !== undefined) return whole;
    let words = '';
    for (const piece of piecesOf(markdown, PIECE)) {
      words += wordsOf(piece) + (/\n\s*$/.test(piece) ? '\n\n' : ' ');
      await nextTurn();
    }
    return withoutTags(words).trim();
  }
}

async function parsers() {
  const [words, pieces, tags, cut] = await Promise.all([
    import('./words.js'),
    import('./pieces.js'),
    import('./without-tags.js'),
    import('./cut-short.js'),
  ]);
  const { isDense, piecesOf } = pieces;
  return { wordsOf: words.wordsOf, isDense, piecesOf, withoutTags: tags.withoutTags, cutShort: cut.cutShort };
}
