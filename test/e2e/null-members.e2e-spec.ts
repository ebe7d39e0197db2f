import { App } from './harness/app.js';
import { book, change, COMMANDS, nextSlot } from './harness/ledger.js';

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, object>>;
}

const RECEIVER = 'https://receiver.example/hooks';

let app: App;
let schemas: Readonly<Record<string, Schema>>;
beforeAll(async () => {
  app = await App.start();
  schemas = (await app.as(null).get('/openapi.json')).body.components.schemas;
});
afterAll(() => app.dispose());

/** The members of a body's schema that are not in this body, all null. */
function nulls(schema: string, body: object): object {
  const optional = Object.keys(schemas[schema]?.properties ?? {}).filter((name) => !(name in body));
  expect(optional.length).toBeGreaterThan(0);
  return Object.fromEntries(optional.map((name) => [name, null]));
}

const created = async (path: string, body: object) => (await app.api.post(path, body)).body.id as string;
const conversation = () => created('/v1/conversations', {});
const session = () => created('/v1/sessions', { direction: 'inbound' });
const endpoint = () => created('/v1/webhook_endpoints', { url: RECEIVER });
const appointment = async () => (await book(app.api)).body.id as string;
const cancelled = async () => {
  const id = await appointment();
  await change(app.api, id, 'cancel');
  return id;
};

let count = 0;
const phone = () => `+49151${String(++count).padStart(8, '0')}`;

type Post = readonly [schema: string, path: () => string | Promise<string>, body: () => object];
const POSTS: readonly Post[] = [
  ['CreateConversationDto', () => '/v1/conversations', () => ({})],
  ['EndConversationDto', async () => `/v1/conversations/${await conversation()}/end`, () => ({})],
  ['SendMessageDto', () => '/v1/messages', () => ({ external_conversation_id: `t${++count}`, content: 'Hi' })],
  ['PostMessageDto', async () => `/v1/conversations/${await conversation()}/messages`, () => ({ content: 'Hi' })],
  ['CustomerDto', () => '/v1/customers', () => ({ phone: phone() })],
  ['OpenSessionDto', () => '/v1/sessions', () => ({ direction: 'inbound' })],
  ['CloseSessionDto', async () => `/v1/sessions/${await session()}/close`, () => ({})],
  ['SessionTurnDto', async () => `/v1/sessions/${await session()}/turns`, () => ({ role: 'user', content: 'Hi' })],
  ['BookAppointmentDto', () => '/v1/appointments', () => ({ service: 'haircut', starts_at: nextSlot() })],
  ['ConfirmAppointmentDto', async () => `/v1/appointments/${await appointment()}/confirm`, () => ({})],
  [
    'RescheduleAppointmentDto',
    async () => `/v1/appointments/${await appointment()}/reschedule`,
    () => ({ starts_at: nextSlot() }),
  ],
  ['CancelAppointmentDto', async () => `/v1/appointments/${await appointment()}/cancel`, () => ({})],
  ['FailAppointmentDto', async () => `/v1/appointments/${await appointment()}/fail`, () => COMMANDS['fail']?.() ?? {}],
  ['RebookAppointmentDto', async () => `/v1/appointments/${await cancelled()}/rebook`, () => ({ starts_at: nextSlot() })],
  ['RegisterEndpointDto', () => '/v1/webhook_endpoints', () => ({ url: RECEIVER })],
  ['RotateSecretDto', async () => `/v1/webhook_endpoints/${await endpoint()}/rotate_secret`, () => ({})],
  ['TestEndpointDto', async () => `/v1/webhook_endpoints/${await endpoint()}/test`, () => ({})],
];

describe('null for an optional member of a POST', () => {
  it.each(POSTS)('is the same as leaving it out: %s', async (schema, path, body) => {
    const without = body();
    const answer = await app.api.post(await path(), { ...without, ...nulls(schema, without) });
    expect([answer.status < 300, answer.body]).toEqual([true, expect.objectContaining({ id: expect.any(String) })]);
  });

  it('is the same in a customer that the body names', async () => {
    const customer = { phone: phone(), ...nulls('CustomerDto', { phone: '' }) };
    const { status, body } = await app.api.post('/v1/conversations', { customer });
    expect([status, typeof body.customer_id]).toEqual([201, 'string']);
  });

  it('is documented for each of them', () => {
    const strict = POSTS.flatMap(([schema]) =>
      Object.entries(schemas[schema]?.properties ?? {})
        .filter(([name]) => !schemas[schema]?.required?.includes(name))
        .filter(([, about]) => !JSON.stringify(about).includes('null'))
        .map(([name]) => `${schema}.${name}`),
    );
    expect(strict).toEqual([]);
  });
});

describe('null in a PATCH', () => {
  it('empties a name and an external id of a customer, and leaves the rest as it is', async () => {
    const full = { phone: phone(), email: `null${count}@example.com`, name: 'Ann', external_id: 'crm', metadata: { a: 1 } };
    const id = await created('/v1/customers', full);
    const nothing = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    const { status, body } = await app.api.patch(`/v1/customers/${id}`, nothing);
    expect([status, body]).toEqual([200, expect.objectContaining({ ...full, name: null, external_id: null })]);
  });

  it('empties notes and location of an appointment, and leaves the rest as it is', async () => {
    const full = { notes: 'Stairs.', location: 'Room 2', metadata: { a: 1 } };
    const id = (await book(app.api, full)).body.id as string;
    const nothing = { notes: null, location: null, metadata: null, expected_version: null };
    const { status, body } = await app.api.patch(`/v1/appointments/${id}`, nothing);
    expect([status, body]).toEqual([200, expect.objectContaining({ notes: null, location: null, metadata: { a: 1 } })]);
  });

  it('empties the description of an endpoint and the limit of its rate, and leaves the rest as it is', async () => {
    const about = { url: RECEIVER, event_filters: ['appointment.*'], description: 'prod', metadata: { a: 1 } };
    const full = { ...about, disable_on_gone: true, rate_limit_per_second: 5 };
    const { id, headers } = (await app.api.post('/v1/webhook_endpoints', { ...full, headers: { 'X-Env': 'prod' } })).body;
    const nothing = Object.fromEntries([...Object.keys(full), 'headers', 'status'].map((name) => [name, null]));
    const { status, body } = await app.api.patch(`/v1/webhook_endpoints/${id}`, nothing);
    const left = { ...full, description: null, rate_limit_per_second: null, headers, status: 'enabled' };
    expect([status, body]).toEqual([200, expect.objectContaining(left)]);
  });
});
