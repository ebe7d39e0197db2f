import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book, change, nextSlot } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS } from './harness/receiver.js';

const UNKNOWN = '01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const missing = (param: string) => [404, 'invalid_request_error', 'resource_missing', param];

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

let app: App;
let backend: Backend;
let admin: Client;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
  admin = await app.admin();
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

/** A project with an endpoint: its client, its path in the admin API, and what an administrator is answered there. */
async function subscribed() {
  const project = (await admin.post('/admin/v1/projects', { name: 'subscriber' })).body.id;
  const at = `/admin/v1/projects/${project}`;
  const client = app.as((await admin.post(`${at}/api_keys`, { name: 'key' })).body.secret);
  const endpointId: string = (await client.post('/v1/webhook_endpoints', { url: backend.hook().url })).body.id;
  return { client, endpointId, at, ask: (path: string) => admin.get(at + path) };
}

const newestEvent = async (client: Client): Promise<Json> => (await client.get('/v1/events?limit=1')).body.data[0];

describe('the causes of an event', () => {
  it('are the request that changed the appointment', async () => {
    const { client, ask } = await subscribed();
    const answer = await book(client);
    const event = await newestEvent(client);
    const requestId = answer.headers.get('request-id');
    expect((await ask(`/events/${event.id}/causes`)).body).toEqual({
      object: 'cause_chain',
      id: event.id,
      events: [
        {
          stream: `appointment-${answer.body.id}`,
          revision: 0,
          position: String(event.sequence).padStart(20, '0'),
          type: 'AppointmentBooked',
          at: event.created_at,
          correlation_id: event.change.correlation_id,
          causation_id: requestId,
          actor: { type: 'client', id: expect.stringMatching(/^key_/), session_id: null },
          request_id: requestId,
          traceparent: null,
        },
      ],
      beginning: requestId,
    });
  });

  it('are the message on which the agent booked, and the request that posted it', async () => {
    const { client, ask } = await subscribed();
    const content = `Book me a haircut on ${nextSlot().slice(0, 10)} at 10:00`;
    const { body, headers } = await client.post('/v1/messages', { external_conversation_id: 'talk', content });
    const event = await newestEvent(client);
    const { events, beginning } = (await ask(`/events/${event.id}/causes`)).body;
    expect(events.map((each: Json) => [each.stream, each.type, each.actor?.type ?? null])).toEqual([
      [`appointment-${event.data.object.id}`, 'AppointmentBooked', null],
      [`conversation-${body.conversation.id}`, 'MessagePosted', null],
      [`conversation-${body.conversation.id}`, 'ConversationOpened', 'client'],
    ]);
    expect(beginning).toBe(headers.get('request-id'));
  });
});

describe('the causes of a delivery', () => {
  it('are the change of the appointment, and the request that made it', async () => {
    const { client, ask } = await subscribed();
    const answer = await book(client);
    const delivery = await deliveryIn('succeeded', client);
    const { id, events, beginning } = (await ask(`/deliveries/${delivery.id}/causes`)).body;
    expect([id, beginning]).toEqual([delivery.id, answer.headers.get('request-id')]);
    expect(events.map((each: Json) => `${each.type} in ${each.stream}`)).toEqual([
      `DeliveryScheduled in deliveries-${delivery.event_id}`,
      `EventFrozen in deliveries-${delivery.event_id}`,
      `AppointmentBooked in appointment-${answer.body.id}`,
    ]);
  });

  it('are the request that replayed it, by an administrator', async () => {
    const { client, at, ask } = await subscribed();
    await book(client);
    const { id } = await deliveryIn('succeeded', client);
    const replayed = await admin.post(`${at}/deliveries/${id}/retry`);
    const { events, beginning } = await eventually(async () => {
      const { status, body } = await ask(`/deliveries/${replayed.body.id}/causes`);
      expect(status).toBe(200);
      return body;
    });
    expect(beginning).toBe(replayed.headers.get('request-id'));
    const { id: session_id } = (await admin.get('/admin/v1/session')).body;
    expect(events).toEqual([
      expect.objectContaining({ type: 'DeliveryScheduled', actor: { type: 'admin', id: null, session_id } }),
    ]);
  });

  it('are the task that replayed many', async () => {
    const { client, endpointId, ask } = await subscribed();
    await book(client);
    await deliveryIn('succeeded', client);
    const since = new Date(Date.now() - 60_000).toISOString();
    const until = new Date(Date.now() + 1_000).toISOString();
    await client.post(`/v1/webhook_endpoints/${endpointId}/reconcile`, { since, until, received: [] });
    const fresh = await eventually(async () => {
      const [newest] = (await client.get('/v1/deliveries?trigger=bulk_replay')).body.data;
      expect(newest).toBeDefined();
      return newest;
    });
    const { events, beginning } = (await ask(`/deliveries/${fresh.id}/causes`)).body;
    expect(beginning).toMatch(/^task_/);
    expect(events.map(({ type }: Json) => type)).toEqual(['DeliveryScheduled']);
  });

  it("are told of a project's own things alone, and of nothing that there is not", async () => {
    const [here, there] = [await subscribed(), await subscribed()];
    await book(here.client);
    const { id, event_id } = await deliveryIn('succeeded', here.client);
    for (const path of [`/deliveries/${id}/causes`, `/events/${event_id}/causes`]) {
      expect(errorOf(await there.ask(path))).toEqual(missing('id'));
    }
    expect(errorOf(await there.ask(`/deliveries/whd_${UNKNOWN}/causes`))).toEqual(missing('id'));
    expect(errorOf(await there.ask(`/events/evt_${UNKNOWN}/causes`))).toEqual(missing('id'));
  });
});

describe('the events of a request', () => {
  it('are found by its id, however many came after', async () => {
    const { client, ask } = await subscribed();
    const first = await book(client);
    for (let n = 0; n < 101; n++) await book(client);
    const { body } = await ask(`/requests/${first.headers.get('request-id')}/events`);
    expect(body).toMatchObject({ has_more: false, data: [{ object: 'event', data: { object: { id: first.body.id } } }] });
  });

  it('are both of a move that cancels and books again', async () => {
    const { client, ask } = await subscribed();
    const { body } = await book(client);
    const moved = await change(client, body.id, 'reschedule', { starts_at: nextSlot(), mode: 'cancel_and_recreate' });
    const { data } = (await ask(`/requests/${moved.headers.get('request-id')}/events`)).body;
    expect(data.map(({ type }: Json) => type)).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it("are the project's own, and none of a request that caused none", async () => {
    const [here, there] = [await subscribed(), await subscribed()];
    const { headers } = await book(here.client);
    expect((await there.ask(`/requests/${headers.get('request-id')}/events`)).body.data).toEqual([]);
    expect((await here.ask(`/requests/req_${UNKNOWN}/events`)).body.data).toEqual([]);
  });
});
