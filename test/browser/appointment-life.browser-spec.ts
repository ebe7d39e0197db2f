import { eventually } from '../e2e/harness/eventually.js';
import { book, change, later } from '../e2e/harness/ledger.js';
import { Backend } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';
import { button, dialog, shows } from './harness/parts.js';
import { subscriber } from './harness/subscriber.js';

const DAY = 86_400_000;
const A_PAGE = 50;

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

const steps = () => here.page.locator('ol.timeline > li');
const step = (name: string) => steps().filter({ has: here.page.getByText(name, { exact: true }) });

describe('the life of an appointment', () => {
  it('has every change with who made it, what it changed, its event and its deliveries', async () => {
    const hook = backend.hook(200);
    const { project, client } = await subscriber(here.app, hook);
    const { body } = await book(client, { notes: 'by the window' });
    await client.patch(`/v1/appointments/${body.id}`, { notes: 'at the door', metadata: { room: 3 } });
    const moved = later(body.starts_at);
    await change(client, body.id, 'reschedule', { starts_at: moved, reason: 'asked_for' });
    await hook.received(2);
    await here.visit.goTo(`/admin/${project}/appointments/${body.id}`);

    const [booked, amended, rescheduled] = [step('appointment.created'), step('amended'), step('appointment.rescheduled')];
    await shows(booked, /By a client.*status\s*.*pending/s);
    await booked.getByText('All that it was booked with').click();
    await shows(booked, /notes\s*by the window/);
    await shows(
      amended,
      /version 2.*By a client.*notes\s*by the window → at the door.*metadata.*{"room":3}.*Nothing was emitted/s,
    );
    await shows(rescheduled, /asked_for.*status.*pending → .*rescheduled/s);
    const times = await rescheduled
      .locator('dd time')
      .evaluateAll((all) => all.map((time) => (time as HTMLTimeElement).dateTime));
    expect(times.slice(0, 2)).toEqual([body.starts_at, moved]);
    await shows(rescheduled, /succeeded.*1 attempt/s);
    const { data } = (await client.get('/v1/deliveries?event_type=appointment.rescheduled')).body;
    await rescheduled.getByRole('link', { name: data[0].event_id, exact: true }).waitFor();
    await rescheduled.getByRole('link', { name: data[0].id, exact: true }).click();
    await here.page.waitForURL(`**/deliveries/${data[0].id}`);
  });

  it('goes on without a reload, and names the session of the administrator', async () => {
    const { project, client } = await ownProject(here.app);
    const { body } = await book(client);
    await here.visit.goTo(`/admin/${project}/appointments/${body.id}`);
    await client.patch(`/v1/appointments/${body.id}`, { location: 'Room 3' });
    await shows(step('amended'), /location\s*Room 3/);
    await button(here.page, 'Confirm').click();
    await button(dialog(here.page), 'Confirm').click();
    await shows(step('appointment.confirmed'), /By an administrator.*Posted to no endpoint/s);
    await step('appointment.confirmed')
      .getByRole('link', { name: /^ases_/ })
      .click();
    await here.page.waitForURL('**/admin/audit?session_id=ases_*');
  });

  it('is shown page by page where it is long', async () => {
    const { project, client } = await ownProject(here.app);
    const { body } = await book(client);
    for (let n = 1; n <= A_PAGE; n++) await client.patch(`/v1/appointments/${body.id}`, { notes: `note ${n}` });
    await here.visit.goTo(`/admin/${project}/appointments/${body.id}`);
    await eventually(async () => expect(await steps().count()).toBe(A_PAGE));
    await here.page.getByRole('link', { name: 'Show more' }).click();
    await shows(steps(), `note ${A_PAGE - 1} → note ${A_PAGE}`);
    expect(await steps().count()).toBe(A_PAGE + 1);
  });

  it('has what is older than its events, which are no links any more', async () => {
    const { project, client } = await ownProject(here.app);
    const { body } = await book(client);
    await here.page.route('**/history?*', async (route) => {
      const answer = await route.fetch();
      const page = (await answer.json()) as { data: object[] };
      const at = new Date(Date.now() - 31 * DAY).toISOString();
      await route.fulfill({ response: answer, json: { ...page, data: page.data.map((each) => ({ ...each, at })) } });
    });
    await here.visit.goTo(`/admin/${project}/appointments/${body.id}`);
    await shows(step('appointment.created'), 'The event and its deliveries were kept for 30 days.');
    expect(await step('appointment.created').getByRole('link').count()).toBe(0);
  });
});
