import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Backend } from '../e2e/harness/receiver.js';
import { axeFaults } from './harness/axe.js';
import { consoleTests } from './harness/console-tests.js';
import { addressOf, PLACES } from './harness/places.js';
import { planted, type Planted } from './harness/planted.js';
import { widthBeyondWindow } from './harness/width-beyond-window.js';

const PICTURES = join(__dirname, '../../dist/screenshots');
/** A window of 1280 by 720 pixels at 200 %. */
const ZOOMED = { width: 640, height: 360 };
const LOOKS = (['light', 'dark'] as const).flatMap((theme) => [1280, 390].map((width) => ({ theme, width })));

const here = consoleTests();
let backend: Backend;
let some: Planted;
beforeAll(async () => {
  rmSync(PICTURES, { recursive: true, force: true });
  mkdirSync(PICTURES, { recursive: true });
  backend = await Backend.start();
  some = await planted(here.app, backend.hook(500), (max) => 'A text of somebody outside, of any length.'.slice(0, max));
});
afterAll(() => backend.close());

/** Whether a style of the page has anything move, now or after a change. */
function anythingMoves(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')].some((element) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
      return Number.parseFloat(transitionDuration) > 0 || animationName !== 'none' || scrollBehavior !== 'auto';
    }),
  );
}

describe('a page of the console', () => {
  it.each(PLACES)('%s is readable for everyone, in both themes, at both widths and at 200 % zoom', async (place) => {
    await here.visit.goTo(addressOf(place, some.project, some.ids));
    const faults: string[] = [];
    for (const { theme, width } of LOOKS) {
      await here.page.emulateMedia({ colorScheme: theme });
      await here.page.setViewportSize({ width, height: 900 });
      const name = `${place.replaceAll('/', '-').replaceAll(':', '')}-${theme}-${width}`;
      await here.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
      faults.push(...(await axeFaults(here.page)).map((fault) => `${name}: ${fault}`));
      const beyond = await widthBeyondWindow(here.page);
      if (beyond > 0) faults.push(`${name}: ${beyond} pixels beside the window`);
    }
    await here.page.setViewportSize(ZOOMED);
    const beyond = await widthBeyondWindow(here.page);
    if (beyond > 0) faults.push(`at 200 % zoom: ${beyond} pixels beside the window`);
    expect(faults).toEqual([]);
  });

  it.each([
    { what: 'nothing', wish: 'reduce' },
    { what: 'something', wish: 'no-preference' },
  ] as const)('moves $what where the system wishes for $wish', async ({ what, wish }) => {
    await here.page.emulateMedia({ reducedMotion: wish });
    await here.visit.goTo(`/admin/${some.project}/api-keys`);
    await here.page.getByRole('button', { name: 'Make a key' }).first().click();
    await here.page.getByRole('dialog').waitFor();
    expect(await anythingMoves(here.page)).toBe(what === 'something');
  });

  it('asks for the password readably too', async () => {
    await here.page.goto('/admin/');
    await here.page.getByLabel('Admin password').waitFor();
    for (const { theme, width } of LOOKS) {
      await here.page.emulateMedia({ colorScheme: theme });
      await here.page.setViewportSize({ width, height: 900 });
      await here.page.screenshot({ path: join(PICTURES, `sign-in-${theme}-${width}.png`) });
      expect(await axeFaults(here.page)).toEqual([]);
    }
  });
});

describe('the navigation', () => {
  it('says where a person is, and leads to each place by the keyboard alone', async () => {
    await here.visit.goTo(`/admin/${some.project}/api-keys`);
    const current = here.page.locator('nav [aria-current=page]');
    expect(await current.allTextContents()).toEqual(['API keys']);
    await here.page.getByRole('link', { name: 'Projects', exact: true }).focus();
    await here.page.keyboard.press('Enter');
    await here.page.waitForURL('**/admin/projects');
    await here.visit.settled();
    expect(await current.allTextContents()).toEqual(['Projects']);
  });
});
