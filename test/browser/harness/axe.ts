import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA contains the earlier ones. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly string[] }[] }[];
}

/** What axe finds on the page as it is now: the rule and the elements that break it. */
export async function axeFaults(page: Page): Promise<readonly string[]> {
  // The debugger's own evaluation: the page's policy forbids scripts of other places, as it should.
  const debug = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  try {
    await evaluate(`${SOURCE};0`);
    const found = (await evaluate(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`)) as Found;
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  } finally {
    await debug.detach();
  }
}
