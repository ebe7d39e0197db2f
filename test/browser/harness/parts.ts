import type { Locator, Page } from 'playwright-core';

type Within = Page | Locator;

export const button = (within: Within, name: string | RegExp) => within.getByRole('button', { name, exact: true });

export const dialog = (page: Page) => page.getByRole('dialog');

/** The rows of the list with this caption, without its head. */
export const rows = (page: Page, list: string) => page.getByRole('table', { name: list }).locator('tbody').getByRole('row');

/** The value of a named fact. */
export const fact = (within: Within, name: string) =>
  within.getByText(name, { exact: true }).locator('xpath=following-sibling::dd[1]');

/** The number with this label, of the last hour, day or week. */
export const tile = (page: Page, label: string) =>
  page
    .locator('.tile')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('strong');

/** Waits until something has this text, without the page being loaded again. */
export async function shows(what: Locator, text: string | RegExp): Promise<void> {
  await what.filter({ hasText: text }).first().waitFor();
}

/** Opens a link as a person does who wants to keep the page: in a tab of its own. */
export async function openInTab(link: Locator): Promise<Page> {
  const tab = link.page().context().waitForEvent('page');
  await link.click({ modifiers: ['ControlOrMeta'] });
  return tab;
}
