import { eventually } from '../e2e/harness/eventually.js';
import { Backend } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button } from './harness/parts.js';
import { emit, subscriber } from './harness/subscriber.js';

/** Each is failing, and has a delivery that failed. */
const ENDPOINTS = 26;
const ISSUES = 2 * ENDPOINTS;
const A_PAGE = 25;

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

const issues = () => here.page.getByRole('listitem').filter({ has: button(here.page, 'Dismiss') });
const nothingIsWrong = () => here.page.getByText('Nothing is wrong that the service knows of.');

/** A project whose endpoints all fail. */
async function failing(endpoints: number) {
  const { project, client } = await subscriber(here.app, backend.hook(500));
  for (let n = 1; n < endpoints; n++) await client.post('/v1/webhook_endpoints', { url: backend.hook(500).url });
  await emit(client);
  await eventually(async () => {
    const { body } = await client.get('/v1/issues?status=open&limit=100');
    expect(body.data).toHaveLength(2 * endpoints);
  });
  return project;
}

describe('the open issues', () => {
  it('are those of the project, however many newer ones another project has, and all of them are reached', async () => {
    const calm = await failing(1);
    const busy = await failing(ENDPOINTS);
    await here.visit.goTo(`/admin/${calm}/overview`);
    await eventually(async () => expect(await issues().count()).toBe(2));
    expect(await nothingIsWrong().count()).toBe(0);

    await here.visit.goTo(`/admin/${busy}/overview`);
    await eventually(async () => expect(await issues().count()).toBe(A_PAGE));
    const more = here.page.getByRole('link', { name: 'Show more' });
    await more.click();
    await eventually(async () => expect(await issues().count()).toBe(2 * A_PAGE));
    await more.click();
    await eventually(async () => expect(await issues().count()).toBe(ISSUES));
    expect(await more.count()).toBe(0);
    await here.page.reload();
    await eventually(async () => expect(await issues().count()).toBe(ISSUES));
  });

  it('begin with those of the installation, wherever they are among those of all projects', async () => {
    const at = '2026-03-01T09:00:00.000Z';
    const about = { title: 'Events of reminders were skipped', what_to_do: 'Look at the list.', count: 1 };
    const cause = { code: 'event_skipped', message: 'It could not be applied.' };
    const subject = { object: 'component', id: 'reminders' };
    const skipped = { id: 'iss_1', object: 'issue', kind: 'event_skipped', status: 'open', project_id: null, subject };
    const issue = { ...skipped, ...about, cause, first_seen_at: at, last_seen_at: at, closed_at: null, closed_by: null };
    await here.page.route(/\/admin\/v1\/issues\?.*kind=event_skipped/, (route) => {
      const isFirst = !route.request().url().includes('starting_after');
      const page = isFirst ? { data: [], has_more: true, next_cursor: 'cur_1' } : { data: [issue], has_more: false };
      return route.fulfill({ json: { object: 'list', next_cursor: null, ...page } });
    });
    await here.visit.goTo(`/admin/${await failing(1)}/overview`);
    await eventually(async () => expect(await issues().count()).toBe(3));
    const first = issues().first();
    expect(await first.innerText()).toContain(about.title);
    expect(await first.getByRole('link', { name: 'Look at the projections' }).getAttribute('href')).toBe('/admin/projections');
  });
});
