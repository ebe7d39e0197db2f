import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../e2e/harness/eventually.js';
import { book, change, makeEvents } from '../e2e/harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, verified } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog, rows, shows, tile } from './harness/parts.js';
import { ownProject } from './harness/own-project.js';
import { emit, subscriber } from './harness/subscriber.js';

/** A page has twenty. */
const MORE_THAN_A_PAGE = 22;

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

const deliveries = (page = here.page) => rows(page, 'Deliveries');
const announced = () => here.page.getByRole('status').filter({ hasText: /since this was loaded/ });

const changesAnnounced = async () => Number(/\d+/.exec((await announced().textContent()) ?? '')?.[0]);
const eventLinkIn = (row: Locator) => row.getByRole('link', { name: 'appointment.' }).getAttribute('href');

/** A page that is loaded again forgets this mark. */
const mark = (page: Page) => page.evaluate(() => void (document.body.dataset['mark'] = 'kept'));
const isMarked = (page: Page) => page.evaluate(() => document.body.dataset['mark'] === 'kept');

describe('an endpoint made in the console', () => {
  it('gets the next event: its page counts it, and the open list of deliveries tells of it, without a reload', async () => {
    const hook = backend.hook(200);
    const { project, client } = await ownProject(here.app);
    await here.visit.goTo(`/admin/${project}/endpoints`);
    await button(here.page, 'Add the first endpoint').click();
    await dialog(here.page).getByLabel('URL that events are posted to').fill(hook.url);
    await button(dialog(here.page), 'Add an endpoint').click();
    const secret = (await here.page.getByText(/^whsec_/).textContent()) ?? '';
    await here.page.getByRole('link', { name: hook.url }).click();
    await shows(tile(here.page, 'succeeded'), /^0$/);
    const list = await here.visit.context.newPage();
    await list.goto(`/admin/${project}/deliveries`);
    await list.getByText('There is no delivery yet.').waitFor();
    await Promise.all([mark(here.page), mark(list)]);

    await book(client);
    const [post] = await hook.received();
    expect(verified(post!, secret)).toMatchObject({ type: 'appointment.created' });
    await shows(tile(here.page, 'succeeded'), /^1$/);
    await button(list, 'Show').click();
    await shows(deliveries(list), /succeeded.*appointment\.created.*1 \/ 3.*200/);
    expect(await Promise.all([isMarked(here.page), isMarked(list)])).toEqual([true, true]);
  });
});

describe('the open list of deliveries', () => {
  it('stays as it is when there are new ones, announces them, and shows them when it is asked to', async () => {
    const { project, client } = await subscriber(here.app, backend.hook(200));
    const first = await emit(client);
    await deliveryIn('succeeded', client, first);
    await here.visit.goTo(`/admin/${project}/deliveries`);
    await shows(deliveries(), 'succeeded');
    const before = await deliveries().allTextContents();
    const place = await deliveries().first().boundingBox();
    await emit(client);
    await announced().waitFor();
    expect((await deliveries().allTextContents()).map(withoutTimes)).toEqual(before.map(withoutTimes));
    expect(await eventLinkIn(deliveries().first())).toContain(first);
    expect((await deliveries().first().boundingBox())?.y).toBe(place?.y);
    await button(here.page, 'Show').click();
    await deliveries().nth(1).waitFor();
    expect(await eventLinkIn(deliveries().nth(1))).toContain(first);
    await announced().waitFor({ state: 'detached' });
  });

  it('shows where a row stands while its delivery is tried again', async () => {
    const hook = backend.hook(500);
    const { project, client, endpoint } = await subscriber(here.app, hook);
    await client.post(`/v1/webhook_endpoints/${endpoint}/pause`);
    await deliveryIn('pending', client, await emit(client));
    await here.visit.goTo(`/admin/${project}/deliveries`);
    await shows(deliveries(), /pending.*0 \/ 3/);
    hook.answers = [500, 200];
    await client.post(`/v1/webhook_endpoints/${endpoint}/resume`);
    await shows(deliveries(), /succeeded.*2 \/ 3.*200/);
  });

  it('keeps its rows when more new ones have come than a page holds, and selects none that it does not show', async () => {
    const { project, client, endpoint } = await subscriber(here.app, backend.hook(200));
    await client.post(`/v1/webhook_endpoints/${endpoint}/pause`);
    const first = await emit(client);
    await deliveryIn('pending', client, first);
    await here.visit.goTo(`/admin/${project}/deliveries`);
    await shows(deliveries(), 'pending');
    await makeEvents(client, MORE_THAN_A_PAGE, MORE_THAN_A_PAGE / 2);
    await eventually(async () => expect(await changesAnnounced()).toBeGreaterThanOrEqual(MORE_THAN_A_PAGE));
    const asked = here.visit.answerTo('GET', '/deliveries');
    await client.post(`/v1/deliveries/${(await deliveryIn('pending', client, first)).id}/cancel`);
    await asked;
    await emit(client);
    await eventually(async () => expect(await changesAnnounced()).toBeGreaterThan(MORE_THAN_A_PAGE));
    expect(await deliveries().count()).toBe(1);
    expect(await eventLinkIn(deliveries().first())).toContain(first);
    await button(here.page, 'Select this page').click();
    await here.page.getByText('1 selected').waitFor();
  });

  it('tells of new ones too where a proxy swallows the stream of changes', async () => {
    here.visit.expects(/^503 \/admin\/v1\/stream$/);
    await here.page.route('**/admin/v1/stream?*', (route) => route.fulfill({ status: 503 }));
    const { project, client } = await subscriber(here.app, backend.hook(200));
    await deliveryIn('succeeded', client, await emit(client));
    await here.visit.goTo(`/admin/${project}/deliveries`);
    await shows(deliveries(), 'appointment.created');
    const second = await emit(client);
    await announced().waitFor();
    expect(await deliveries().count()).toBe(1);
    await button(here.page, 'Show').click();
    await shows(deliveries().filter({ has: here.page.locator(`a[href$="${second}"]`) }), 'succeeded');
  });
});

describe('a list that is slow to be answered', () => {
  /** Answers to what asks for the list come this much later. */
  const slowed = (list: string, ms: number) =>
    here.page.route(new RegExp(`/${list}(\\?|$)`), async (route) => {
      await pause(ms);
      await route.continue().catch(() => undefined);
    });

  it('shows how its rows change although more changes come meanwhile', async () => {
    const { project, client } = await ownProject(here.app);
    const { id } = (await book(client)).body;
    await here.visit.goTo(`/admin/${project}/appointments`);
    const row = rows(here.page, 'Appointments').first();
    await shows(row, 'pending');
    await slowed('v1/projects/\\w+/appointments', 800);
    await change(client, id, 'confirm');
    let isShown = false;
    const changing = (async () => {
      for (let n = 1; !isShown; n++) await client.patch(`/v1/appointments/${id}`, { notes: `note ${n}` });
    })();
    try {
      await shows(row, 'confirmed');
    } finally {
      isShown = true;
      await changing;
    }
  });

  it('shows the rows of its new filter although changes come before they do', async () => {
    const paused = backend.hook(200);
    const { project, client, endpoint } = await subscriber(here.app, paused);
    await client.post(`/v1/webhook_endpoints/${endpoint}/pause`);
    await client.post('/v1/webhook_endpoints', { url: backend.hook(200).url });
    const event = await emit(client);
    await eventually(async () => expect(await deliveriesOf(client, event)).toHaveLength(2));
    await here.visit.goTo(`/admin/${project}/deliveries?status=pending`);
    await shows(deliveries(), 'pending');
    await slowed('v1/projects/\\w+/deliveries', 2_000);
    await here.page.getByLabel('Status (several with commas)').fill('succeeded');
    await button(here.page, 'Apply').click();
    await emit(client);
    await shows(deliveries(), 'succeeded');
  });
});

/** Times pass: "now" becomes "3 seconds ago". */
function withoutTimes(row: string): string {
  return row.replace(/now|\d+ \w+ ago/, '');
}
