import type { Page } from 'playwright-core';

interface Focused {
  /** The words of the control, as a person reads them. */
  readonly name: string;
  /** Whether all of it is within the window. */
  readonly isInside: boolean;
  readonly outline: string;
}

const MAX_STEPS = 80;

/** What has the focus. */
export function focusedOn(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    const focused = document.activeElement as HTMLElement;
    const { top, bottom, left, right, width } = focused.getBoundingClientRect();
    const isInside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && width > 0;
    const { outline } = getComputedStyle(focused);
    const label =
      focused instanceof HTMLInputElement || focused instanceof HTMLSelectElement ? focused.labels?.[0]?.textContent : undefined;
    const name = focused.getAttribute('aria-label') ?? label ?? focused.textContent;
    return { name: name.trim(), isInside, outline };
  });
}

/** Presses Tab until the control with these words has the focus. Rejects where a focus on the way is not seen. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  while (passed.at(-1) !== name) {
    if (passed.length === MAX_STEPS) throw new Error(`Tab never comes to "${name}": ${passed.join(', ')}`);
    await page.keyboard.press('Tab');
    const focused = await focusedOn(page);
    passed.push(focused.name);
    // The browser's own frame, between the last control and the first.
    if (await page.evaluate(() => document.activeElement === document.body)) continue;
    if (!focused.isInside || !/ solid [2-9]px/.test(focused.outline)) {
      throw new Error(`The focus is not seen: ${JSON.stringify(focused)}`);
    }
  }
}
