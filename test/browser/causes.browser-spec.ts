import type { Client } from '../e2e/harness/client.js';
import { eventually } from '../e2e/harness/eventually.js';
import { book, nextSlot } from '../e2e/harness/ledger.js';
import { Backend, deliveryIn } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

/** A project with an endpoint. */
async function subscribed(): Promise<{ project: string; client: Client }> {
  const admin = await here.app.admin();
  const project = (await admin.post('/admin/v1/projects', { name: 'causes' })).body.id;
  const key = await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: 'key' });
  const client = here.app.as(key.body.secret);
  await client.post('/v1/webhook_endpoints', { url: backend.hook().url });
  return { project, client };
}

const newest = (client: Client) =>
  eventually(async () => {
    const [event] = (await client.get('/v1/events?limit=1')).body.data;
    expect(event).toBeDefined();
    return event;
  });

const steps = () => here.page.locator('ol.timeline > li');
const linkTo = (id: string) => here.page.locator('#content').getByRole('link', { name: id, exact: true });

describe('the search for the id of a request', () => {
  it('finds the event that it caused, however many came after', async () => {
    const { project, client } = await subscribed();
    const { body, headers } = await book(client);
    for (let n = 0; n < 101; n++) await book(client);
    await here.visit.goTo(`/admin/${project}/overview`);
    await here.page.keyboard.press('/');
    await here.page.keyboard.type(headers.get('request-id') ?? '');
    await here.page.keyboard.press('Enter');
    await here.page.getByRole('heading', { level: 1, name: 'appointment.created' }).waitFor();
    await expect(linkTo(body.id).first().waitFor()).resolves.toBeUndefined();
  });

  it('lists both events of a move that cancels and books again', async () => {
    const { project, client } = await subscribed();
    const { body } = await book(client);
    const move = { starts_at: nextSlot(), mode: 'cancel_and_recreate' };
    const { headers } = await client.post(`/v1/appointments/${body.id}/reschedule`, move);
    await here.visit.goTo(`/admin/${project}/found?q=${headers.get('request-id')}`);
    const rows = here.page.getByRole('row').filter({ hasText: 'Event' });
    await rows.filter({ hasText: 'appointment.cancelled' }).waitFor();
    await expect(rows.filter({ hasText: 'appointment.created' }).waitFor()).resolves.toBeUndefined();
  });
});

describe('the causes of an event', () => {
  it('lead over the message on which the agent booked to the request that posted it', async () => {
    const { project, client } = await subscribed();
    const content = `Book me a haircut on ${nextSlot().slice(0, 10)} at 10:00`;
    const { body, headers } = await client.post('/v1/messages', { external_conversation_id: 'talk', content });
    const event = await newest(client);
    await here.visit.goTo(`/admin/${project}/events/${event.id}`);
    await steps().filter({ hasText: 'Message posted' }).waitFor();
    const said = (await steps().allTextContents()).map((text) => text.replace(/\s+/g, ' '));
    expect(said[0]).toContain(`A request: ${headers.get('request-id')}`);
    expect(said[1]).toContain(`Conversation opened of ${body.conversation.id} by a client`);
    expect(said[2]).toContain(`Message posted of ${body.conversation.id}`);
    expect(said[3]).toContain(`Appointment booked of ${event.data.object.id}`);
    expect(said[4]).toContain('That made this event: appointment.created');
    await linkTo(body.conversation.id).first().click();
    await expect(here.page.getByRole('log').getByText(content).waitFor()).resolves.toBeUndefined();
  });

  it('are shown with the envelope as it is stored', async () => {
    const { project, client } = await subscribed();
    const { body, headers } = await book(client);
    const event = await newest(client);
    await here.visit.goTo(`/admin/${project}/events/${event.id}`);
    const booked = steps().filter({ hasText: 'Appointment booked' });
    await booked.getByText('Envelope').click();
    const facts = (await booked.locator('dl').textContent()) ?? '';
    for (const text of [`appointment-${body.id}@0`, headers.get('request-id'), event.change.correlation_id]) {
      expect(facts).toContain(text);
    }
  });
});

describe('the causes of a delivery', () => {
  it('lead over the change to its request, and of a replay to the administrator who asked for it', async () => {
    const { project, client } = await subscribed();
    const { body, headers } = await book(client);
    const delivery = await deliveryIn('succeeded', client);
    await here.visit.goTo(`/admin/${project}/deliveries/${delivery.id}`);
    await steps()
      .filter({ hasText: `Appointment booked of ${body.id}` })
      .waitFor();
    await steps()
      .filter({ hasText: `A request: ${headers.get('request-id')}` })
      .waitFor();
    await steps()
      .filter({ hasText: `Delivery scheduled of ${delivery.event_id}` })
      .waitFor();
    await here.page.getByRole('button', { name: 'Replay' }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await eventually(() => expect(here.page.url()).not.toContain(delivery.id));
    const replayed = steps().filter({ hasText: 'Delivery scheduled' });
    await replayed.getByText('by an administrator').waitFor();
    await replayed.getByRole('link', { name: /^ases_/ }).click();
    await here.page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await expect(here.page.getByText('/deliveries/{id}/retry').first().waitFor()).resolves.toBeUndefined();
  });
});

describe('filters of an endpoint that is to be added', () => {
  it('are tried on the last events before it is added', async () => {
    const { project, client } = await subscribed();
    const { body } = await book(client);
    await client.post(`/v1/appointments/${body.id}/confirm`);
    await book(client);
    await here.visit.goTo(`/admin/${project}/endpoints`);
    await here.page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = here.page.getByRole('dialog');
    await dialog.getByLabel('URL that events are posted to').fill(backend.hook().url);
    await dialog.getByLabel('appointment.confirmed').check();
    await dialog.getByRole('button', { name: 'Try the filters' }).click();
    await dialog.getByText('Of the last 3 events').waitFor();
    expect((await dialog.getByRole('status').locator('dl').textContent())?.trim()).toBe('would pass1');
    expect((await client.get('/v1/webhook_endpoints')).body.data).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [added] = (await client.get('/v1/webhook_endpoints')).body.data;
    expect(added.event_filters).toEqual(['appointment.confirmed']);
  });
});
