import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { appointmentIn, eventsOf } from './harness/ledger.js';
import { Backend, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

/** A second attempt comes after the tests. */
const PATIENT = { ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' };

let app: App;
let backend: Backend;
beforeAll(async () => void ([app, backend] = await Promise.all([App.start(PATIENT), Backend.start()])));
afterAll(() => Promise.all([app.dispose(), backend.close()]));

// oxlint-disable-next-line typescript/no-explicit-any
type Delivery = Readonly<Record<string, any>>;

const list = async (client: Client, query = ''): Promise<readonly Delivery[]> => {
  const { status, body } = await client.get(`/v1/deliveries?limit=100&${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.data;
};

/** The list once it has so many, and every one had its attempt. */
function settled(client: Client, count: number): Promise<readonly Delivery[]> {
  return eventually(async () => {
    const all = await list(client);
    expect(all).toHaveLength(count);
    for (const { status } of all) expect(['pending', 'delivering']).not.toContain(status);
    return all;
  });
}

describe('the list of all deliveries', () => {
  let client: Client;
  let all: readonly Delivery[];
  let appointmentId: string;

  beforeAll(async () => {
    const subscribed = await subscribe(app, backend.hook().url);
    client = subscribed.client;
    const moved = backend.hook((_, response) => void response.writeHead(302, { location: '/elsewhere' }).end());
    const away = await Backend.start();
    const others = [backend.hook(503).url, backend.hook(400).url, moved.url, away.hook().url];
    await away.close();
    for (const url of others) await client.post('/v1/webhook_endpoints', { url });
    await appointmentIn(client, 'failed');
    appointmentId = await appointmentIn(client, 'confirmed');
    await client.post(`/v1/webhook_endpoints/${subscribed.id}/test`);
    all = await settled(client, 16);
    const failed = all.find(({ status }) => status === 'failed');
    await client.post(`/v1/deliveries/${failed?.['id']}/retry`);
    all = await settled(client, 17);
  });

  it('has the newest first, each as it can be read by its id, without attempts and event', async () => {
    const times = all.map(({ created_at }) => created_at as string);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const shown of all.slice(0, 5)) {
      const { attempts, event, ...rest } = (await client.get(`/v1/deliveries/${shown['id']}`)).body;
      expect(rest).toEqual(shown);
      expect([attempts.length, event.id]).toEqual([1, shown['event_id']]);
    }
    expect(await list(client, 'order=asc')).toEqual(all.toReversed());
  });

  const statusClass = ({ last_response_status: status }: Delivery) =>
    status === null ? 'none' : `${Math.floor(status / 100)}xx`;

  it.each<[string, (delivery: Delivery) => boolean]>([
    ['status=failed', ({ status }) => status === 'failed'],
    ['status=succeeded,retrying', ({ status }) => status === 'succeeded' || status === 'retrying'],
    ['event_type=appointment.confirmed', ({ event_type }) => event_type === 'appointment.confirmed'],
    ['event_type=appointment.*', () => true],
    ['event_type=*', () => true],
    ['trigger=test', ({ trigger }) => trigger === 'test'],
    ['trigger=replay', ({ trigger }) => trigger === 'replay'],
    ['response_status_class=2xx', (delivery) => statusClass(delivery) === '2xx'],
    ['response_status_class=3xx', (delivery) => statusClass(delivery) === '3xx'],
    ['response_status_class=4xx', (delivery) => statusClass(delivery) === '4xx'],
    ['response_status_class=5xx', (delivery) => statusClass(delivery) === '5xx'],
    ['response_status_class=none', (delivery) => statusClass(delivery) === 'none'],
    ['error_code=redirect', ({ last_error_code }) => last_error_code === 'redirect'],
    ['error_code=connection_refused', ({ last_error_code }) => last_error_code === 'connection_refused'],
    ['created_at[gte]=2000-01-01T00:00:00Z', () => true],
    ['status=failed&trigger=event', ({ status, trigger }) => status === 'failed' && trigger === 'event'],
    [
      'event_type=appointment.created&response_status_class=5xx&status=retrying',
      (delivery) => delivery['event_type'] === 'appointment.created' && statusClass(delivery) === '5xx',
    ],
  ])('by %s has what is so, and nothing else', async (query, isSo) => {
    const expected = all.filter(isSo);
    expect(expected).not.toEqual([]);
    expect(await list(client, query)).toEqual(expected);
  });

  it('by ids has what belongs to them', async () => {
    const [{ webhook_endpoint_id: endpoint, event_id: event, status }] = all as readonly [Delivery];
    const ofAppointment = (await eventsOf(client, appointmentId)).map(({ id }) => id);
    const cases: readonly (readonly [string, (delivery: Delivery) => boolean])[] = [
      [`endpoint_id=${endpoint}`, (each) => each['webhook_endpoint_id'] === endpoint],
      [
        `endpoint_id=${endpoint}&status=${status}`,
        (each) => each['webhook_endpoint_id'] === endpoint && each['status'] === status,
      ],
      [`event_id=${event}`, (each) => each['event_id'] === event],
      [
        `event_id=${event}&endpoint_id=${endpoint}`,
        (each) => each['event_id'] === event && each['webhook_endpoint_id'] === endpoint,
      ],
      [`object_id=${appointmentId}`, (each) => ofAppointment.includes(each['event_id'])],
    ];
    for (const [query, isSo] of cases) {
      const expected = all.filter(isSo);
      expect([query, expected.length > 0, await list(client, query)]).toEqual([query, true, expected]);
    }
  });

  it('is cut at the time of any delivery', async () => {
    const at = all[3]?.['created_at'];
    expect(await list(client, `created_at[gte]=${at}`)).toEqual(all.filter(({ created_at }) => created_at >= at));
    expect(await list(client, `created_at[lt]=${at}`)).toEqual(all.filter(({ created_at }) => created_at < at));
  });

  it('goes on at the cursor of a page under the same filters', async () => {
    for (const query of ['status=retrying', 'status=retrying&event_type=appointment.created']) {
      const expected = await list(client, query);
      const { body } = await client.get(`/v1/deliveries?limit=1&${query}`);
      expect([body.data, body.has_more]).toEqual([expected.slice(0, 1), true]);
      expect(await list(client, `${query}&starting_after=${body.next_cursor}`)).toEqual(expected.slice(1));
      expect(await list(client, `${query}&ending_before=${expected.at(-1)?.['id']}`)).toEqual(expected.slice(0, -1));
    }
  });

  it.each([
    ['status', 'lost'],
    ['status', 'failed,lost'],
    ['event_type', 'Nonsense!'],
    ['trigger', 'nobody'],
    ['response_status_class', '9xx'],
    ['error_code', 'http_error'],
    ['created_at', 'yesterday'],
    ['endpoint_id', 'evt_01J9Z3K8Q4T6V8X0A2C4E6G8J0'],
  ])('refuses what is no %s: %s', async (param, value) => {
    const name = param === 'created_at' ? 'created_at[gte]' : param;
    const refused = await client.get(`/v1/deliveries?${name}=${encodeURIComponent(value)}`);
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'parameter_invalid', param]);
  });

  it('warns of a type that no event has', async () => {
    const answer = await client.get('/v1/deliveries?event_type=customer.*');
    expect([answer.status, answer.body.data]).toEqual([200, []]);
    expect(answer.headers.get('service-warning')).toContain("'customer.*' matches no type of event");
  });

  it('takes no cursor of the deliveries of an event', async () => {
    const { body } = await client.get(`/v1/events/${all[0]?.['event_id']}/deliveries?limit=1`);
    const refused = await client.get(`/v1/deliveries?starting_after=${body.next_cursor}`);
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'cursor_invalid', 'starting_after']);
  });
});
