import { makeEvents } from '../e2e/harness/ledger.js';
import { Backend, noneIn } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog, fact, rows, shows } from './harness/parts.js';
import { emit, subscriber } from './harness/subscriber.js';

const EVENTS = 1_000;
const WITHIN_MS = 120_000;

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

describe('a thousand deliveries that failed', () => {
  it('are replayed over the filters of the list, once each, after a count', async () => {
    const hook = backend.hook(404);
    const { project, client, endpoint } = await subscriber(here.app, hook);
    const other = backend.hook(404);
    await client.post('/v1/webhook_endpoints', { url: other.url, event_filters: ['appointment.created'] });
    await makeEvents(client, EVENTS, EVENTS / 5);
    await hook.received(EVENTS, WITHIN_MS);
    await noneIn(['pending', 'delivering', 'retrying'], client, endpoint, WITHIN_MS);
    const elsewhere = (await other.received((2 * EVENTS) / 5, WITHIN_MS)).length;
    hook.answers = [200];

    await here.visit.goTo(`/admin/${project}/deliveries`);
    await here.page.getByText('Filters', { exact: true }).click();
    await here.page.getByLabel('Status (several with commas)').fill('failed');
    await here.page.getByRole('combobox', { name: 'Endpoint', exact: true }).selectOption({ label: hook.url });
    await button(here.page, 'Apply').click();
    await here.page.waitForURL(`**/deliveries?status=failed&endpoint_id=${endpoint}`);
    await shows(rows(here.page, 'Deliveries'), /failed.*1 \/ 3.*404/);

    await button(here.page, 'Replay everything that matches').click();
    await shows(fact(dialog(here.page), 'endpoint_id'), endpoint);
    await dialog(here.page).getByLabel('Fresh deliveries a second').fill('500');
    await button(dialog(here.page), 'Count first').click();
    await shows(fact(dialog(here.page), 'Would be made'), '1,000');
    await shows(fact(dialog(here.page), 'Of appointments'), String(EVENTS / 5));
    expect(hook.requests).toHaveLength(EVENTS);
    await button(dialog(here.page), 'Replay 1,000 deliveries').click();

    await here.page.waitForURL(/\/tasks\/task_\w+$/);
    await shows(fact(here.page, 'Status'), 'completed');
    await shows(fact(here.page, 'Made'), '1,000');
    await here.page.getByText('1,000 / 1,000', { exact: true }).waitFor();
    await hook.received(2 * EVENTS, WITHIN_MS);
    expect(new Set(hook.eventIds.slice(EVENTS)).size).toBe(EVENTS);
    expect([hook.requests.length, other.requests.length]).toEqual([2 * EVENTS, elsewhere]);
  });
});

describe('some deliveries that failed', () => {
  it('are selected in the list and replayed, and the address has the selection', async () => {
    const hook = backend.hook(404);
    const { project, client } = await subscriber(here.app, hook);
    const events = [await emit(client), await emit(client), await emit(client)];
    await hook.received(3);
    hook.answers = [200];
    await here.visit.goTo(`/admin/${project}/deliveries`);
    const rowOf = (event = '') => rows(here.page, 'Deliveries').filter({ has: here.page.locator(`a[href$="${event}"]`) });
    await rowOf(events[0]).getByRole('checkbox').check();
    await rowOf(events[2]).getByRole('checkbox').check();
    await here.page.reload();
    await here.visit.settled();
    await button(here.page, 'Replay 2 deliveries').click();
    await button(dialog(here.page), 'Replay 2 deliveries').click();
    await shows(dialog(here.page), '2 done, 0 refused.');
    await hook.received(5);
    expect(hook.eventIds.slice(3).toSorted()).toEqual([events[0], events[2]].toSorted());
    await button(dialog(here.page), 'Close').click();
    await shows(rows(here.page, 'Deliveries'), /succeeded.*replay/);
    expect(new URL(here.page.url()).search).toBe('');
  });
});
