import { eventually } from '../e2e/harness/eventually.js';
import { makeEvents } from '../e2e/harness/ledger.js';
import { Backend, noneIn } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, openInTab, rows, shows } from './harness/parts.js';
import { subscriber, type Subscriber } from './harness/subscriber.js';

/** More than a page. */
const EVENTS = 30;

const here = consoleTests();
let backend: Backend;
let some: Subscriber;
beforeAll(async () => {
  backend = await Backend.start();
  const hook = backend.hook(...Array.from({ length: EVENTS / 2 }, () => 404), 200);
  some = await subscriber(here.app, hook);
  await makeEvents(some.client, EVENTS, EVENTS / 2);
  await hook.received(EVENTS);
  await noneIn(['pending', 'delivering', 'retrying'], some.client, some.endpoint);
});
afterAll(() => backend.close());

const deliveries = () => rows(here.page, 'Deliveries');
const search = () => decodeURIComponent(new URL(here.page.url()).search);
const addressed = (text: string) => here.page.waitForURL((url) => decodeURIComponent(url.search) === text);
const status = () => here.page.getByLabel('Status (several with commas)');

/** Waits until every row has this text. */
async function all(text: string | RegExp, count: number): Promise<void> {
  await eventually(async () => {
    const texts = await deliveries().allTextContents();
    expect([texts.length, texts.filter((row) => row.search(text) < 0)]).toEqual([count, []]);
  });
}

async function filter(value: string): Promise<void> {
  await status().fill(value);
  await button(here.page, 'Apply').click();
}

describe('the address of a list', () => {
  it('has its filters, and back and forward go through them', async () => {
    await here.visit.goTo(`/admin/${some.project}/deliveries`);
    await all('', 20);
    await here.page.getByText('Filters', { exact: true }).click();
    await filter('failed');
    await all('failed', EVENTS / 2);
    await filter('succeeded');
    await all('succeeded', EVENTS / 2);
    expect(search()).toBe('?status=succeeded');
    await here.page.goBack();
    await all('failed', EVENTS / 2);
    expect([search(), await status().inputValue()]).toEqual(['?status=failed', 'failed']);
    await here.page.goBack();
    await all('', 20);
    expect([search(), await status().inputValue()]).toEqual(['', '']);
    await here.page.goForward();
    await all('failed', EVENTS / 2);
    expect(await status().inputValue()).toBe('failed');
    await button(here.page, 'Clear').click();
    await addressed('');
    await all('', 20);
  });

  it('opens the same list elsewhere, with the same rows of the same page', async () => {
    const at = `/admin/${some.project}/deliveries?endpoint_id=${some.endpoint}&order=asc`;
    await here.visit.goTo(at);
    await here.page.getByRole('link', { name: 'Newer' }).click();
    await all('', EVENTS - 20);
    const shown = await idsShown();
    const tab = await here.visit.context.newPage();
    await tab.goto(here.page.url());
    await rows(tab, 'Deliveries')
      .nth(EVENTS - 21)
      .waitFor();
    expect(await tab.getByRole('checkbox').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')))).toEqual(
      shown,
    );
    await here.page.getByRole('link', { name: 'Older' }).click();
    await all('', 20);
    await here.page.goBack();
    await all('', EVENTS - 20);
    expect(await idsShown()).toEqual(shown);
  });

  it('has the tab of a page, too', async () => {
    await here.visit.goTo(`/admin/${some.project}/deliveries?status=failed`);
    await deliveries().first().getByRole('link').first().click();
    await here.page.getByRole('link', { name: 'Timeline' }).click();
    await addressed('?view=timeline');
    await here.page.reload();
    await shows(here.page.getByRole('listitem'), 'Given up');
    await here.page.goBack();
    await here.page.getByRole('table', { name: 'Attempts' }).waitFor();
    await here.page.goBack();
    await all('failed', EVENTS / 2);
  });
});

const idsShown = () =>
  deliveries()
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')));

describe('an id', () => {
  it('is a link, and Ctrl-click opens what it names in a tab, while the list stays', async () => {
    await here.visit.goTo(`/admin/${some.project}/deliveries?status=failed`);
    const [delivery] = await idsShown();
    const row = deliveries().first();
    const tabs = [
      { link: row.getByRole('link', { name: delivery! }), leadsTo: /\/deliveries\/whd_\w+$/, heading: 'Delivery' },
      { link: row.getByRole('link', { name: 'appointment.' }), leadsTo: /\/events\/evt_\w+$/, heading: /^appointment\./ },
      { link: row.getByRole('link', { name: 'http' }), leadsTo: /\/endpoints\/we_\w+$/, heading: 'Endpoint' },
    ];
    for (const { link, leadsTo, heading } of tabs) {
      const tab = await openInTab(link);
      await tab.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(tab.url()).toMatch(leadsTo);
    }
    expect([search(), (await idsShown()).length]).toEqual(['?status=failed', EVENTS / 2]);
  });

  it('is a link in every list and on every page of a delivery, its event and its endpoint', async () => {
    await here.visit.goTo(`/admin/${some.project}/deliveries?status=failed`);
    await deliveries().first().getByRole('link').first().click();
    await here.page.waitForURL(/\/deliveries\/whd_/);
    for (const prefix of ['apt', 'we', 'evt'])
      await here.page
        .getByRole('link', { name: new RegExp(`^${prefix}_\\w+$`) })
        .first()
        .waitFor();
    await here.page.getByRole('link', { name: /^evt_/ }).first().click();
    await here.page.waitForURL(/\/events\/evt_/);
    for (const prefix of ['apt', 'we', 'whd'])
      await here.page
        .getByRole('link', { name: new RegExp(`^${prefix}_\\w+$`) })
        .first()
        .waitFor();
  });
});

describe('the search', () => {
  it('leads from an id without a page of its own to the list that has it', async () => {
    await here.visit.goTo(`/admin/${some.project}/overview`);
    const admin = await here.app.admin();
    const { body } = await admin.get('/admin/v1/audit_log?limit=1');
    const session = body.data[0].session_id as string;
    const key = (await admin.get(`/admin/v1/projects/${some.project}/api_keys`)).body.data[0].id as string;
    const issue = await eventually(async () => String((await some.client.get('/v1/issues')).body.data[0].id));
    for (const { id, leadsTo } of [
      { id: session, leadsTo: `/admin/audit?session_id=${session}` },
      { id: 'skip_01ARZ3NDEKTSV4RRFFQ69G5FAV', leadsTo: '/admin/projections' },
      { id: key, leadsTo: '/api-keys' },
      { id: issue, leadsTo: '/overview' },
    ]) {
      await here.page.keyboard.press('Control+k');
      await here.page.getByRole('searchbox').fill(id);
      await here.page.keyboard.press('Enter');
      await here.page.waitForURL(({ href }) => href.endsWith(leadsTo));
      await here.visit.settled();
    }
    expect(await here.page.getByRole('heading', { level: 1 }).innerText()).toBe('Overview');
  });
});
