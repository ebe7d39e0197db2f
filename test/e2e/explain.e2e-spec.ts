import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { appointmentIn, book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const missing = (param: string) => [404, 'invalid_request_error', 'resource_missing', param];
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

async function register(client: Client, ...event_filters: readonly string[]): Promise<string> {
  return (await client.post('/v1/webhook_endpoints', { url: backend.hook().url, event_filters })).body.id;
}

// oxlint-disable-next-line typescript/no-explicit-any
async function emit(client: Client): Promise<any> {
  const { body } = await book(client);
  return (await client.get(`/v1/events?object_id=${body.id}`)).body.data[0];
}

/** The endpoints of the explanation, once the event is fanned out. */
// oxlint-disable-next-line typescript/no-explicit-any
function explained(client: Client, eventId: string): Promise<any[]> {
  return eventually(async () => {
    const { body } = await client.get(`/v1/events/${eventId}/explain`);
    expect(JSON.stringify(body)).not.toContain('not_fanned_out_yet');
    return body.endpoints;
  });
}

describe('the explanation of an event', () => {
  it('tells of each endpoint whether it got the event, why not, and what to do', async () => {
    const { client, id: well } = await subscribe(app, backend.hook().url);
    const [other, disabled] = [await register(client, 'appointment.cancelled'), await register(client)];
    await client.patch(`/v1/webhook_endpoints/${disabled}`, { status: 'disabled' });
    const event = await emit(client);
    const delivery = await deliveryIn('succeeded', client, event.id);
    const later = await register(client, 'appointment.*');
    const { status, body } = await client.get(`/v1/events/${event.id}/explain`);
    const none = { delivered: false, delivery_ids: [], status: null };
    const replayTo = (id: string) =>
      `eplay the event to it with POST /v1/events/${event.id}/replay and the body {"endpoint_ids":["${id}"]}.`;
    expect([status, body]).toEqual([
      200,
      {
        object: 'event_explanation',
        event_id: event.id,
        endpoints: [
          {
            webhook_endpoint_id: well,
            delivered: true,
            reason: null,
            event_filters: [],
            delivery_ids: [delivery.id],
            status: 'succeeded',
            explanation: `The receiver answered 200 at ${delivery.completed_at}.`,
            what_to_do: null,
          },
          {
            ...none,
            webhook_endpoint_id: other,
            reason: 'filter_mismatch',
            event_filters: ['appointment.cancelled'],
            explanation: `When the event happened, at ${event.created_at}, the event_filters were appointment.cancelled, and none of them matches appointment.created.`,
            what_to_do: `Add appointment.created to its event_filters to get such events from now on, and to get this one r${replayTo(other)}`,
          },
          {
            ...none,
            webhook_endpoint_id: disabled,
            reason: 'endpoint_disabled',
            event_filters: [],
            explanation: `The endpoint was disabled when the event happened, at ${event.created_at}.`,
            what_to_do: `Enable the endpoint, then r${replayTo(disabled)}`,
          },
          {
            ...none,
            webhook_endpoint_id: later,
            reason: 'created_after_event',
            event_filters: ['appointment.*'],
            explanation: expect.stringMatching(
              `^The endpoint was registered at ${TIME}, after the event, which happened at ${event.created_at}\\.$`,
            ),
            what_to_do: `R${replayTo(later)}`,
          },
        ],
      },
    ]);
  });

  it('says what the receiver answered, and when it is asked again', async () => {
    const { client, id } = await subscribe(app, backend.hook(503).url);
    const event = await emit(client);
    const { next_attempt_at: next } = await deliveryIn('retrying', client, event.id);
    expect(await explained(client, event.id)).toMatchObject([
      {
        webhook_endpoint_id: id,
        delivered: true,
        reason: null,
        status: 'retrying',
        explanation: `The receiver answered 503 to attempt 1 of 2, and the next attempt is to come, due at ${next}.`,
      },
    ]);
  });

  it('says that an endpoint is deleted, whether or not it had a delivery', async () => {
    const { client, id } = await subscribe(app, backend.hook(503).url);
    const other = await register(client, 'appointment.failed');
    const event = await emit(client);
    await deliveryIn('retrying', client, event.id);
    for (const each of [id, other]) await client.delete(`/v1/webhook_endpoints/${each}`);
    await deliveryIn('cancelled', client, event.id);
    expect(await explained(client, event.id)).toMatchObject([
      { webhook_endpoint_id: id, delivered: true, reason: 'deleted', status: 'cancelled', what_to_do: null },
      {
        webhook_endpoint_id: other,
        delivered: false,
        reason: 'deleted',
        status: null,
        explanation: expect.stringMatching(
          `^The endpoint was deleted at ${TIME}, and of its event_filters, appointment\\.failed, `,
        ),
        what_to_do: null,
      },
    ]);
  });

  it('says where an endpoint is disabled that the event had not reached', async () => {
    const { client, id } = await subscribe(app, backend.hook(503).url);
    const event = await emit(client);
    await deliveryIn('retrying', client, event.id);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    await deliveryIn('cancelled', client, event.id);
    expect(await explained(client, event.id)).toMatchObject([
      { delivered: true, reason: 'endpoint_disabled', status: 'cancelled' },
    ]);
  });

  it("is of no unknown event, and of none of another project's", async () => {
    const client = await app.otherProject();
    const { id } = await emit(client);
    expect((await client.get(`/v1/events/${id}/explain`)).body.endpoints).toEqual([]);
    expect(errorOf(await (await app.otherProject()).get(`/v1/events/${id}/explain`))).toEqual(missing('id'));
    expect(errorOf(await client.get('/v1/events/nobody/explain'))).toEqual(missing('id'));
  });
});

describe('a trial of filters', () => {
  const PATH = (id: string) => `/v1/webhook_endpoints/${id}/test_filters`;

  it('tells which of the last events pass them, and which pass those that are set', async () => {
    const { client, id } = await subscribe(app, backend.hook().url, { event_filters: ['appointment.created'] });
    await appointmentIn(client, 'confirmed');
    const events = (await client.get('/v1/events')).body.data;
    await deliveryIn('succeeded', client, events[1].id);
    const before = (await client.get(`/v1/webhook_endpoints/${id}`)).body;
    const { status, body } = await client.post(PATH(id), { event_filters: ['appointment.confirmed', 'appointment.failed'] });
    expect([status, body]).toEqual([
      200,
      {
        object: 'filter_trial',
        events: [
          { id: events[0].id, type: 'appointment.confirmed', matches: true, matches_now: false },
          { id: events[1].id, type: 'appointment.created', matches: false, matches_now: true },
        ],
      },
    ]);
    expect((await client.get(`/v1/webhook_endpoints/${id}`)).body).toEqual(before);
    const all = (await client.post(PATH(id), { event_filters: [] })).body.events;
    expect(all.map(({ matches }: { matches: boolean }) => matches)).toEqual([true, true]);
  });

  it("judges them as an endpoint's own", async () => {
    const { client, id } = await subscribe(app, backend.hook().url);
    const refused = async (body: object) => errorOf(await client.post(PATH(id), body)).slice(2);
    expect(await refused({})).toEqual(['parameter_missing', 'event_filters']);
    expect(await refused({ event_filters: ['*.created'] })).toEqual(['event_filter_invalid', 'event_filters']);
    expect(await refused({ event_filters: 'appointment.*' })).toEqual(['parameter_invalid', 'event_filters']);
    const fifty = Array.from({ length: 50 }, () => '*');
    expect((await client.post(PATH(id), { event_filters: fifty })).status).toBe(200);
    expect(await refused({ event_filters: [...fifty, '*'] })).toEqual(['parameter_invalid', 'event_filters']);
    const strange = await client.post(PATH(id), { event_filters: ['appointment.moved'] });
    expect(strange.headers.get('service-warning')).toContain("'appointment.moved' matches no type of event");
  });

  it("is of an endpoint of the own project, over the project's own events", async () => {
    const { client, id } = await subscribe(app, backend.hook().url);
    await book(client);
    const { client: stranger, id: foreign } = await subscribe(app, backend.hook().url);
    const body = { event_filters: ['*'] };
    expect(errorOf(await stranger.post(PATH(id), body))).toEqual(missing('id'));
    expect((await stranger.post(PATH(foreign), body)).body.events).toEqual([]);
    await client.delete(`/v1/webhook_endpoints/${id}`);
    expect(errorOf(await client.post(PATH(id), body))).toEqual(missing('id'));
  });
});

describe('an attempt', () => {
  it('keeps the headers that it was sent with, the values of custom ones masked, and how long its steps took', async () => {
    const hook = backend.hook(200);
    const { client } = await subscribe(app, hook.url, { headers: { 'X-Env': 'of-the-client' } });
    const { id } = await emit(client);
    const {
      attempts: [attempt],
    } = await deliveryIn('succeeded', client, id);
    const [{ headers } = { headers: {} }] = await hook.received();
    const shown = Object.entries(attempt.request_headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(Object.fromEntries(shown)).toEqual({ ...headers, 'x-env': '********' });
    expect(attempt.request_headers).toMatchObject({ 'webhook-id': id, 'X-Env': '********' });
    expect(headers).toMatchObject({ 'x-env': 'of-the-client' });
    const { connect_ms, first_byte_ms } = attempt.timings;
    expect(attempt.timings).toEqual({ dns_ms: null, connect_ms, tls_ms: null, first_byte_ms });
    expect(connect_ms + first_byte_ms).toBeLessThanOrEqual(attempt.duration_ms + 2);
  });

  it('has no headers and no time to its first byte where nobody listened', async () => {
    const { client } = await subscribe(app, 'http://127.0.0.1:1024/hooks');
    const { id } = await emit(client);
    const { attempts } = await deliveryIn('retrying', client, id);
    expect(attempts).toMatchObject([
      {
        outcome: 'connection_refused',
        request_headers: null,
        timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null },
      },
    ]);
  });
});
