import { book } from '../e2e/harness/ledger.js';
import { Backend, deliveryIn } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog, fact, rows, shows } from './harness/parts.js';
import { emit, subscriber } from './harness/subscriber.js';

/** An issue closes a minute after its cause is over. */
const CLOSED_WITHIN_MS = 150_000;
const FAILED = 4;

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

const nothingIsWrong = () => here.page.getByText('Nothing is wrong that the service knows of.');
const issue = (kind: string) => here.page.getByRole('listitem').filter({ hasText: kind });
const link = (name: string | RegExp) => here.page.getByRole('link', { name, exact: true });

describe('an endpoint whose receiver fails', () => {
  it('is an issue on the overview, is recovered after a count, and the issue goes when it is mended, without a reload', async () => {
    const hook = backend.hook(500);
    const { project, client, endpoint } = await subscriber(here.app, hook);
    await here.visit.goTo(`/admin/${project}/overview`);
    await nothingIsWrong().waitFor();

    await book(client);
    const failing = issue('endpoint failing');
    await shows(failing, `Endpoint ${new URL(hook.url).host} fails`);
    await shows(failing, 'http_500: The receiver answered 500.');
    for (let more = 1; more < FAILED; more++) await deliveryIn('failed', client, await emit(client));
    const failed = issue('deliveries failed');
    await shows(failed, `${FAILED} times. First seen`);
    await shows(failing, `${3 * FAILED} times. First seen`);
    const told = (await client.get(`/v1/issues?kind=deliveries_failed`)).body.data[0];
    await shows(failed, told.what_to_do);
    const times = await failed.locator('time').evaluateAll((all) => all.map((time) => (time as HTMLTimeElement).dateTime));
    expect(times).toEqual([told.first_seen_at, told.last_seen_at]);

    await failed.getByRole('link', { name: 'See what failed' }).click();
    await here.page.waitForURL(`**/deliveries?endpoint_id=${endpoint}&status=failed,retrying`);
    const deliveries = rows(here.page, 'Deliveries');
    await deliveries.nth(FAILED - 1).waitFor();
    for (const row of await deliveries.allTextContents()) expect(row).toMatch(/failed.*3 \/ 3.*500/);
    hook.answers = [200];
    await deliveries.first().getByRole('link', { name: hook.url }).click();
    await shows(fact(here.page, 'Failing since'), '▲');

    await button(here.page, 'Recover').click();
    await button(dialog(here.page), 'Count first').click();
    await shows(fact(dialog(here.page), 'Would be made'), String(FAILED));
    expect(hook.requests).toHaveLength(3 * FAILED);
    await button(dialog(here.page), `Send ${FAILED} again`).click();
    await here.page.waitForURL(/\/tasks\/task_\w+$/);
    await shows(fact(here.page, 'Status'), 'completed');
    await shows(fact(here.page, 'Made'), String(FAILED));
    await here.page.getByText(`${FAILED} / ${FAILED}`, { exact: true }).waitFor();
    await hook.received(4 * FAILED);
    expect(new Set(hook.eventIds.slice(3 * FAILED)).size).toBe(FAILED);

    await link('Overview').click();
    await failing.waitFor();
    await nothingIsWrong().waitFor({ timeout: CLOSED_WITHIN_MS });
    expect(await failing.count()).toBe(0);
    await here.page.goBack();
    await fact(here.page, 'Endpoint').getByRole('link').click();
    await shows(fact(here.page, 'Failing since'), 'The latest attempt succeeded');
  });

  it('is an issue no longer where a person dismisses it', async () => {
    const { project, client } = await subscriber(here.app, backend.hook(404));
    await emit(client);
    await here.visit.goTo(`/admin/${project}/overview`);
    await button(issue('deliveries failed'), 'Dismiss').click();
    await nothingIsWrong().waitFor();
    expect((await client.get('/v1/issues?status=dismissed')).body.data).toMatchObject([{ kind: 'deliveries_failed' }]);
  });
});
