import type { Route } from 'playwright-core';
import { readCommandLine } from '../../apps/workbench/src/command-line.js';
import { COMMANDS } from '../../apps/workbench/src/commands/commands.js';
import { eventually } from '../e2e/harness/eventually.js';
import { book, change } from '../e2e/harness/ledger.js';
import { consoleTests } from './harness/console-tests.js';

const here = consoleTests();
const row = (name: string) => here.page.getByRole('row').filter({ has: here.page.getByText(name, { exact: true }) });

async function rebuild(name: string): Promise<void> {
  await row(name).getByRole('button', { name: 'Rebuild' }).click();
  const begun = here.visit.answerTo('POST', `/admin/v1/projections/${name}/rebuild`);
  await here.page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
  expect((await begun).status()).toBe(202);
}

/** Shows the rebuild of a projection at 40 % until it is let go: a log of a test is read within one question. */
async function hold(name: string): Promise<() => Promise<void>> {
  const asRunning = async (route: Route) => {
    const answer = await route.fetch();
    const page = (await answer.json()) as { data: { name: string; rebuild: unknown }[] };
    const data = page.data.map((each) => (each.name === name ? { ...each, rebuild: { state: 'running', percent: 40 } } : each));
    await route.fulfill({ response: answer, json: { ...page, data } });
  };
  await here.page.route('**/admin/v1/projections', asRunning);
  return () => here.page.unroute('**/admin/v1/projections', asRunning);
}

describe('the projections', () => {
  it('are listed with how far each has come', async () => {
    await here.visit.goTo('/admin/projections');
    const { body } = await (await here.app.admin()).get('/admin/v1/projections');
    expect(await here.page.getByRole('row').count()).toBe(body.data.length + 1);
    expect(await row('events').innerText()).toMatch(/\d+ m?s.*\d+ \/ \d+/s);
  });
});

describe('the commands of the workbench', () => {
  it('are all there to copy, as the workbench takes them', async () => {
    await here.visit.goTo('/admin/projections');
    const terminal = here.page.locator('section').filter({ has: here.page.getByRole('heading', { name: 'In a terminal' }) });
    const lines = await terminal.locator('code').allInnerTexts();
    expect(await terminal.getByRole('button', { name: 'Copy' }).count()).toBe(lines.length);
    const names = lines.map((line) => {
      expect(line).toMatch(/^npm run projections -- /);
      return readCommandLine(line.split(' ').slice(4)).command?.name;
    });
    expect(new Set(names)).toEqual(new Set(COMMANDS.map(({ name }) => name)));
  });
});

describe('a rebuild that is begun in the page', () => {
  it('says first what it will do, and nothing happens where it is cancelled', async () => {
    await here.visit.goTo('/admin/projections');
    await row('deliveries').getByRole('button', { name: 'Rebuild' }).click();
    const dialog = here.page.getByRole('dialog', { name: 'Rebuild: deliveries' });
    await dialog.getByText('Its lists answer as before').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await (await here.app.admin()).get('/admin/v1/projections');
    expect(body.data.find(({ name }: { name: string }) => name === 'deliveries').rebuild).toBeNull();
  });

  it('makes all of them anew where that is asked for, after a count', async () => {
    await here.visit.goTo('/admin/projections');
    const admin = await here.app.admin();
    const { body } = await admin.get('/admin/v1/projections');
    await here.page.getByRole('button', { name: 'Rebuild all' }).click();
    const dialog = here.page.getByRole('dialog', { name: 'Rebuild all' });
    await dialog.getByText(`${body.data.length} read models, which have`).waitFor();
    await dialog.getByRole('button', { name: 'Rebuild all' }).click();
    await eventually(async () =>
      expect(await here.page.getByRole('row').filter({ hasText: 'done' }).count()).toBe(body.data.length),
    );
    await eventually(async () => {
      const [task] = (await admin.get('/admin/v1/tasks')).body.data;
      expect(task).toMatchObject({ kind: 'projections.rebuild', status: 'completed' });
      expect(task.parameters.names).toHaveLength(body.data.length);
    });
  });

  it('is shown until it is done, without a reload', async () => {
    await here.visit.goTo('/admin/projections');
    const letGo = await hold('conversations');
    await rebuild('conversations');
    await row('conversations').getByText('running').waitFor();
    await row('conversations').locator('progress[value="40"]').waitFor();
    await letGo();
    await expect(row('conversations').getByText('done').waitFor()).resolves.toBeUndefined();
    const { body } = await (await here.app.admin()).get('/admin/v1/projections');
    expect(body.data.find(({ name }: { name: string }) => name === 'conversations').rebuild).toMatchObject({ state: 'done' });
  });
});

describe('an event that could not be applied', () => {
  const ID = 'skip_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
  const TASK = 'task_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
  const at = '2026-03-01T09:00:00.000Z';
  const about = { component: 'sessions', position: '00000000000000000007', type: 'SessionClosed', stream: 'session-sess_1' };
  const attempts = { attempts: 2, first_at: at, last_at: at };
  const skipped = { id: ID, object: 'skipped_event', ...about, error: 'TypeError', frames: ['bundle/main.js:1:2'], ...attempts };
  const task = { id: TASK, object: 'task', kind: 'skipped_events.retry', result: null };

  it('is listed with its error, and is listed no more once a retry has applied it', async () => {
    let left = [skipped];
    await here.page.route(/\/admin\/v1\/skipped_events(\?|$)/, (route) =>
      route.fulfill({ json: { object: 'list', data: left, has_more: false, next_cursor: null } }),
    );
    await here.page.route(`**/admin/v1/skipped_events/${ID}/retry`, (route) => {
      left = [];
      return route.fulfill({ status: 202, json: { ...task, status: 'pending' } });
    });
    await here.page.route(`**/admin/v1/tasks/${TASK}`, (route) =>
      route.fulfill({ json: { ...task, status: 'completed', result: { matched: 1, created: 1, skipped: {} } } }),
    );
    await here.visit.goTo('/admin/projections');
    const event = row('SessionClosed');
    await event.getByText('TypeError').click();
    await event.getByText('bundle/main.js:1:2').waitFor();
    await event.getByRole('button', { name: 'Retry' }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await here.page.getByText('The event was applied.').waitFor();
    await expect(here.page.getByText('Everything that happened could be applied.').waitFor()).resolves.toBeUndefined();
  });
});

describe('a row of a projection', () => {
  it('is found by its id, with every event that made it and what each changed, and the address has it', async () => {
    const appointment = await book(here.app.api, {});
    const { id } = appointment.body as { readonly id: string };
    await change(here.app.api, id, 'cancel', { cancelled_by: 'customer', reason: 'ill' });
    await here.visit.goTo('/admin/projections/appointments');
    await here.page.getByLabel('Id of the row').fill(id);
    await here.page.getByRole('button', { name: 'Find' }).click();
    await here.page.waitForURL(`**/admin/projections/appointments?row=${id}`);
    await here.page.getByText('It has every event that concerns it.').waitFor();
    const steps = here.page.getByRole('table', { name: 'Its history' }).getByRole('row');
    await steps.nth(2).waitFor();
    expect(await steps.nth(1).innerText()).toMatch(/AppointmentBooked.*status\s+"pending"/s);
    expect(await steps.nth(2).innerText()).toMatch(/AppointmentCancelled.*status\s+"pending" → "cancelled"/s);
  });

  it('says where a row is not there, by the code of the API', async () => {
    here.visit.expects(/^404 .*\/rows\/apt_unknown$/);
    await here.visit.goTo('/admin/projections/appointments?row=apt_unknown');
    await expect(here.page.getByText('resource_missing').waitFor()).resolves.toBeUndefined();
  });

  it('names the command that finds its history where it is made of many streams', async () => {
    here.visit.expects(/^404 .*\/history$/);
    const { body } = await (await here.app.admin()).get('/admin/v1/audit_log?limit=1');
    const { id } = body.data[0] as { readonly id: string };
    await here.visit.goTo(`/admin/projections/audit-entries?row=${id}`);
    const command = here.page.getByText(`npm run projections -- explain audit-entries ${id}`);
    await expect(command.waitFor()).resolves.toBeUndefined();
  });
});
