import type { Locator } from 'playwright-core';
import { eventually } from '../e2e/harness/eventually.js';
import { book } from '../e2e/harness/ledger.js';
import { Backend } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog } from './harness/parts.js';
import { emit, subscriber } from './harness/subscriber.js';

const BOOKING = 'Book a haircut tomorrow at 10am';

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

/** The innermost section with this heading. */
const section = (title: string) =>
  here.page
    .locator('section')
    .filter({ has: here.page.getByRole('heading', { name: title, exact: true }) })
    .last();

/** Waits until the last command within this part says the request, each line of it in order. */
async function says(within: Locator, ...lines: readonly string[]): Promise<void> {
  const command = within.locator('details', { hasText: 'The same with curl' }).last().locator('pre');
  await eventually(async () => {
    const text = (await command.textContent()) ?? '';
    const at = lines.map((line) => text.indexOf(line));
    expect([text, at.includes(-1), at]).toEqual([text, false, at.toSorted((one, other) => one - other)]);
  });
}

describe('the request that does the same is shown', () => {
  it('at an issue that can be dismissed', async () => {
    const { project, client } = await subscriber(here.app, backend.hook(404));
    await emit(client);
    const issue = await eventually(async () => String((await client.get('/v1/issues')).body.data[0].id));
    await here.visit.goTo(`/admin/${project}/overview`);
    const card = here.page.getByRole('listitem').filter({ hasText: issue });
    await expect(says(card, `/v1/issues/${issue}/dismiss'`, '-X POST')).resolves.toBeUndefined();
  });

  it('at the lists of a customer, a conversation and a call', async () => {
    const { project, client } = await subscriber(here.app, backend.hook(200));
    const { body: customer } = await client.post('/v1/customers', { name: 'Ada', phone: '+4915112345678' });
    const { body: call } = await client.post('/v1/sessions', { direction: 'inbound' });
    const conversation = (await client.say('thread', 'Hello')).body.conversation.id;
    await here.visit.goTo(`/admin/${project}/customers/${customer.id}`);
    for (const [title, path] of [
      ['Appointments', 'appointments'],
      ['Conversations', 'conversations'],
      ['Calls', 'sessions'],
    ] as const) {
      await says(section(title), `/v1/${path}?customer_id=${customer.id}&limit=10`);
    }
    await here.visit.goTo(`/admin/${project}/conversations/${conversation}`);
    await says(section('Appointments booked here'), `/v1/appointments?conversation_id=${conversation}&limit=10`);
    await here.visit.goTo(`/admin/${project}/calls/${call.id}`);
    await expect(
      says(section('Appointments booked on it'), `/v1/appointments?session_id=${call.id}&limit=10`),
    ).resolves.toBeUndefined();
  });

  it('where the filters of an endpoint are tried, and then where they are saved', async () => {
    const { project, client, endpoint } = await subscriber(here.app, backend.hook(200));
    await emit(client);
    await here.visit.goTo(`/admin/${project}/endpoints/${endpoint}`);
    await button(here.page, 'Edit').click();
    await dialog(here.page).getByLabel('appointment.confirmed').check();
    await says(
      dialog(here.page),
      `/v1/webhook_endpoints/${endpoint}/test_filters'`,
      '-X POST',
      `-d '{"event_filters":["appointment.confirmed"]}'`,
    );
    await button(dialog(here.page), 'Try the filters').click();
    await dialog(here.page).getByText('Of the last event').waitFor();
    await expect(says(dialog(here.page), `/v1/webhook_endpoints/${endpoint}'`, '-X PATCH')).resolves.toBeUndefined();
  });

  it('where the filters of an endpoint to be added are tried', async () => {
    const { project, client } = await subscriber(here.app, backend.hook(200));
    await book(client);
    await here.visit.goTo(`/admin/${project}/endpoints`);
    await button(here.page, 'Add an endpoint').click();
    await dialog(here.page).getByLabel('appointment.confirmed').check();
    await dialog(here.page).getByLabel('appointment.created').check();
    const types = 'types[]=appointment.confirmed&types[]=appointment.created';
    await expect(says(dialog(here.page), `/v1/events?limit=100'`, `/v1/events?limit=100&${types}'`)).resolves.toBeUndefined();
  });

  it('at what a conversation of the playground causes', async () => {
    const { project } = await subscriber(here.app, backend.hook(200));
    await here.visit.goTo(`/admin/${project}/playground`);
    await button(here.page, BOOKING).click();
    const link = section('Appointments').getByRole('link', { name: /^apt_/ });
    const appointment = (await link.textContent()) ?? '';
    await says(section('Appointments'), '/messages?order=desc&limit=100', `/v1/appointments/${appointment}'`);
    await says(section('Events'), `/v1/events?object_id=${appointment}&limit=100&created_at[gte]=`);
    await expect(
      says(section('Webhooks'), `/v1/deliveries?object_id=${appointment}&limit=100&created_at[gte]=`),
    ).resolves.toBeUndefined();
  });
});
