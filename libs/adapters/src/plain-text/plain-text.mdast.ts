import { setImmediate as nextTurn } from 'node:timers/promises';
import { Budget } from '@kit/budget';
import { PlainText } from '@ports/plain-text.port';

/** Any character or line start that could be markdown or HTML; everything else needs no parser. */
const COULD_BE_MARKUP = /[*_#`~[\]<&\\|]|^[ \t]*(?:>|[-+=]|\d{1,9}[.)]\s)|^(?: {4}|\t)/m;
/** How long a text may hold up the others to be read whole; one that is dense a fifth of it. */
const WITHIN_MS = 500;
/** Are read in some milliseconds, whatever they are, and as long as they are not dense. */
const SHORT = { anyhow: 200, atMost: 1_000 };
const PIECE = 2_000;
const NOBODY = '';

/**
 * Strips by parsing CommonMark, GitHub's extensions and HTML. The parsers are loaded when first needed. A text that would
 * hold up the others for long is read again in pieces between which they have their turn, whatever that costs its looks;
 * and such texts wait for one another, so that many hold nobody up for longer than one does: each for its project's turn.
 */
export class MdastPlainText extends PlainText {
  /** Long texts are parsed one at a time, projects in turn. */
  private readonly longTexts = new Budget({ total: 1, perOwner: 1, least: 0 });

  constructor(private readonly withinMs = WITHIN_MS) {
    super();
  }

  async strip(markdown: string, projectId = NOBODY): Promise<string> {
    if (!COULD_BE_MARKUP.test(markdown)) return markdown;
    const { wordsOf, isDense } = await parsers();
    if (markdown.length <= SHORT.anyhow) return wordsOf(markdown).trim();
    const dense = isDense(markdown);
    if (markdown.length <= SHORT.atMost && !dense) return wordsOf(markdown).trim();
    return this.longTexts.run(projectId, 1, async () => {
      await nextTurn();
      return this.wholeOrInPieces(markdown, dense);
    });
  }

  private async wholeOrInPieces(markdown: string, dense: boolean): Promise<string> {
    const { wordsOf, piecesOf, withoutTags, cutShort } = await parsers();
    const read = () => wordsOf(markdown).trim();
    if (markdown.length <= SHORT.atMost) return read();
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
    import('./markdown-text.js'),
    import('./pieces.js'),
    import('./tag-free.js'),
    import('./cut-short.js'),
  ]);
  const { isDense, piecesOf } = pieces;
  return { wordsOf: words.wordsOf, isDense, piecesOf, withoutTags: tags.withoutTags, cutShort: cut.cutShort };
}
