import { book } from '../e2e/harness/ledger.js';
import { axeFaults } from './harness/axe.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject, type OwnProject } from './harness/own-project.js';
import { fact, rows } from './harness/parts.js';
import { widthBeyondWindow } from './harness/width-beyond-window.js';

/** A viewer in Berlin with a touch screen. */
const BERLIN = { timezoneId: 'Europe/Berlin', locale: 'en-GB', hasTouch: true };

const here = consoleTests(() => ({}), BERLIN);
let some: OwnProject;
let appointment: string;
/** When it was made. */
let made: Date;
beforeAll(async () => {
  some = await ownProject(here.app);
  const { body } = await book(some.client);
  appointment = body.id;
  made = new Date(body.created_at);
});

const inBerlin = () =>
  new Intl.DateTimeFormat(BERLIN.locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: BERLIN.timezoneId }).format(made);
const inUtc = () => `${made.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
const relative = () =>
  rows(here.page, 'Events')
    .first()
    .getByRole('button', { name: /ago|now/ });
const told = () => here.page.locator('[popover]:popover-open');

describe('a time in a list', () => {
  beforeEach(async () => here.visit.goTo(`/admin/${some.project}/events`));

  it('is shown as how long ago it was, and in the zone of the viewer', async () => {
    expect(await rows(here.page, 'Events').first().innerText()).toMatch(new RegExp(`(ago|now)\\s+${inBerlin()}`));
  });

  it('tells UTC by the keyboard, and is quiet again after Escape', async () => {
    await relative().focus();
    await here.page.keyboard.press('Enter');
    await told().getByText(inUtc()).waitFor();
    expect(await told().innerText()).toContain(inBerlin());
    expect(await axeFaults(here.page)).toEqual([]);
    await here.page.keyboard.press('Escape');
    await expect(told().waitFor({ state: 'detached' })).resolves.toBeUndefined();
  });

  it('tells UTC by touch, within the window of a phone', async () => {
    await here.page.setViewportSize({ width: 390, height: 800 });
    await relative().tap();
    await told().getByText(inUtc()).waitFor();
    const { x, y, width, height } = (await told().boundingBox())!;
    expect([x >= 0, y >= 0, x + width <= 390, y + height <= 800]).toEqual([true, true, true, true]);
    expect(await widthBeyondWindow(here.page)).toBe(0);
  });
});

describe('a time among facts', () => {
  it('is shown in the zone of the viewer, as how long ago it was, and in UTC', async () => {
    await here.visit.goTo(`/admin/${some.project}/appointments/${appointment}`);
    const text = (await fact(here.page, 'Booked').innerText()).trim();
    expect(text).toMatch(new RegExp(`^${inBerlin()} \\(.*(ago|now)\\) ${inUtc()}$`));
  });
});
