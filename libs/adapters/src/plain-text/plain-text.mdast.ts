import { setImmediate as nextTurn } from 'node:timers/promises';
import { Budget } from '@kit/budget';
import { PlainText } from '@ports/plain-text.port';
import { LongTextReader } from './long-text-reader.js';
import type { LongText } from './long-text.js';

/** Any character or line start that could be markdown or HTML; everything else needs no parser. */
const COULD_BE_MARKUP = /[*_#`~[\]<&\\|]|^[ \t]*(?:>|[-+=]|\d{1,9}[.)]\s)|^(?: {4}|\t)/m;
/** How long parsing a text as a whole may take. Other long texts wait meanwhile, and nothing else. */
const WITHIN_MS = 2_000;
/** In characters. Parsing takes a few milliseconds: for any text up to the first, for one that is not dense up to the second. */
const SHORT = { any: 200, notDense: 1_000 };
const NOBODY = '';
/** A thread needs compiled code. Under a test runner long texts are read on this one. */
const COMPILED = import.meta.url.endsWith('.js');

/**
 * Strips by parsing CommonMark, GitHub's extensions and HTML. The parsers are loaded at first use. Texts that are neither short nor
 * ordinary are parsed on a thread of their own, one at a time, projects in turn, and in pieces where the whole takes too long.
 */
export class MdastPlainText extends PlainText {
  private readonly longTexts = new Budget({ total: 1, perOwner: 1, least: 0 });

  constructor(
    private readonly withinMs = WITHIN_MS,
    private readonly read = COMPILED ? onAThread() : onThisThread,
  ) {
    super();
  }

  async strip(markdown: string, projectId = NOBODY): Promise<string> {
    if (!COULD_BE_MARKUP.test(markdown)) return markdown;
    const { wordsOf, flattened, isDense } = await parsers();
    if (markdown.length <= SHORT.any || (markdown.length <= SHORT.notDense && !isDense(markdown)))
      return wordsOf(markdown).trim();
    return this.longTexts.run(projectId, 1, () =>
      this.read({ markdown, withinMs: this.withinMs }).catch(() => flattened(markdown).trim()),
    );
  }
}

async function parsers() {
  const [{ wordsOf, flattened }, { isDense }] = await Promise.all([import('./words.js'), import('./pieces.js')]);
  return { wordsOf, flattened, isDense };
}

function onAThread(): (text: LongText) => Promise<string> {
  const reader = new LongTextReader();
  return (text) => reader.read(text);
}

async function onThisThread(text: LongText): Promise<string> {
  await nextTurn();
  return (await import('./long-text.js')).wordsOfLongText(text);
}
