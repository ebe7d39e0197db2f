import { setImmediate as nextTurn } from 'node:timers/promises';
import { Budget } from '@kit/budget';
import { PlainText } from '@ports/plain-text.port';
import { LongTextReader } from './long-text-reader.js';
import type { LongText } from './long-text.js';

const COULD_BE_MARKUP = /[*_#`~[\]<&\\|]|^[ \t]*(?:>|[-+=]|\d{1,9}[.)]\s)|^(?: {4}|\t)/m;
/** For parsing one text as a whole; only other long texts wait meanwhile. */
const WITHIN_MS = 2_000;
/** In characters. Up to these lengths parsing takes a few milliseconds. */
const SHORT = { any: 200, notDense: 1_000 };
const NOBODY = '';
/** A thread needs compiled code; under a test runner long texts are read on this thread. */
const COMPILED = import.meta.url.endsWith('.js');

/** Parses CommonMark, GitHub's extensions and HTML. Long or unusual texts run on a thread, one at a time, projects in turn. */
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
