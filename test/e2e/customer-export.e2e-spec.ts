import { request, type IncomingMessage } from 'node:http';
import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book, change, nextSlot } from './harness/ledger.js';
import { freshProject, idOf, times, walkItems } from './harness/lists.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const NOBODY = 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
/** Close to the most that metadata may have. */
const LONG = 'x'.repeat(16_000);

const exportOf = (client: Client, id: string) => client.get(`/v1/customers/${id}/export`);
const pathOf = (id: string) => `/v1/customers/${id}/export`;

const oldestFirst = (client: Client, path: string, query: Record<string, string> = {}) =>
  walkItems({ client, path }, { order: 'asc', limit: 100, ...query });

/** The export as it is put together from the lists of the API. */
async function assembled(client: Client, id: string) {
  const mine = { customer_id: id };
  const within = async (path: string, member: string, list: string) => {
    const items = await oldestFirst(client, path, mine);
    return Promise.all(
      items.map(async (item) => ({ ...item, [member]: await oldestFirst(client, `${path}/${item.id}/${list}`) })),
    );
  };
  const appointments = await within('/v1/appointments', 'history', 'history');
  const ids = new Set(appointments.map((appointment) => appointment.id));
  const events = (await oldestFirst(client, '/v1/events')).filter(({ data }) => ids.has(data.object.id));
  return {
    object: 'customer_export',
    customer: (await client.get(`/v1/customers/${id}`)).body,
    conversations: await within('/v1/conversations', 'messages', 'messages'),
    sessions: await within('/v1/sessions', 'turns', 'turns'),
    appointments,
    events,
  };
}

let phones = 0;
const newPhone = () => `+49151${7_000_000 + ++phones}`;
const newCustomer = (client: Client, phone = newPhone()) => idOf(client.post('/v1/customers', { phone, name: 'Kim' }));

/** Somebody who wrote, called and booked. */
async function busyCustomer(client: Client): Promise<string> {
  const phone = newPhone();
  const id = await newCustomer(client, phone);
  const customer = { phone };
  for (const thread of ['one', 'two']) {
    await client.say(`${thread} ${phone}`, 'hello', { customer, metadata: { b: 1, a: 2 } });
    await client.say(`${thread} ${phone}`, 'Are you open on Monday?');
  }
  const session = await idOf(client.post('/v1/sessions', { direction: 'inbound', customer }));
  for (const content of ['Hello.', 'How can I help?'])
    await client.post(`/v1/sessions/${session}/turns`, { role: 'user', content });
  const appointment = await idOf(book(client, { session_id: session, customer, notes: 'by the window' }));
  await change(client, appointment, 'confirm');
  await change(client, appointment, 'reschedule', { starts_at: nextSlot(), mode: 'cancel_and_recreate' });
  await client.patch(`/v1/appointments/${appointment}`, { metadata: { b: 1, a: 2 } });
  await book(client, { customer_id: id });
  return id;
}

/** Somebody of whom more is kept than a connection holds on its way. */
async function longCustomer(client: Client): Promise<string> {
  const id = await newCustomer(client);
  await times(40, async (index) => {
    const appointment = await idOf(book(client, { customer_id: id, metadata: { index, LONG } }));
    await times(6, (n) => idOf(client.patch(`/v1/appointments/${appointment}`, { metadata: { index, n, LONG } })));
    return appointment;
  });
  return id;
}

interface Begun {
  readonly response: IncomingMessage;
  /** What was read so far. */
  text: string;
  /** Whether the answer came to its end. */
  readonly isWhole: Promise<boolean>;
}

/** An export that is begun, and not read on behind its first bytes until it is resumed. */
function begun({ url, token }: Client, id: string): Promise<Begun> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(`${url}${pathOf(id)}`, { headers, agent: false }, (response) => {
      const isWhole = new Promise<boolean>((done) => response.once('close', () => done(response.complete)));
      const one: Begun = { response, text: '', isWhole };
      response.setEncoding('utf8').on('error', () => undefined);
      response.on('data', (part: string) => (one.text += part));
      response.once('data', () => {
        response.pause();
        resolve(one);
      });
    });
    sent.on('error', reject).end();
  });
}

describe('the export of a customer', () => {
  it('is everything that the lists show of them, in the same form', async () => {
    const client = await freshProject(app);
    const [id, other] = [await busyCustomer(client), await busyCustomer(client)];
    const { status, headers, body } = await exportOf(client, id);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body)).toEqual(['object', 'customer', 'conversations', 'sessions', 'appointments', 'events']);
    expect(body).toEqual(await assembled(client, id));
    const counts = [body.conversations, body.sessions, body.appointments, body.events].map((list) => list.length);
    expect(counts).toEqual([2, 1, 2, 5]);
    expect(body.conversations[0].messages).toHaveLength(4);
    expect(body.sessions[0].turns.map(({ content }: any) => content)).toEqual(['Hello.', 'How can I help?']);
    expect(body.appointments[0].history).toHaveLength(5);
    expect(JSON.stringify(body)).not.toContain(other);
  });

  it('keeps metadata as it was sent, in the order of its members', async () => {
    const client = await freshProject(app);
    const { text } = await exportOf(client, await busyCustomer(client));
    expect(text.split('"metadata":{"b":1,"a":2}').length).toBeGreaterThan(3);
  });

  it('is whole where each of its lists has many pages', async () => {
    const client = await freshProject(app);
    const id = await newCustomer(client);
    const { phone } = (await client.get(`/v1/customers/${id}`)).body;
    await times(101, (index) => idOf(client.post('/v1/conversations', { external_id: `thread ${index}`, customer: { phone } })));
    await times(52, () => idOf(client.say('thread 7', 'hello')));
    const session = await idOf(client.post('/v1/sessions', { direction: 'inbound', customer: { phone } }));
    await times(51, (index) =>
      idOf(client.post(`/v1/sessions/${session}/turns`, { role: 'user', content: `sentence ${index}` })),
    );
    await times(51, () => idOf(client.post('/v1/sessions', { direction: 'outbound', customer: { phone } })));
    const [first = ''] = await times(53, () => idOf(book(client, { customer_id: id, status: 'confirmed' })));
    await times(201, (index) => idOf(client.patch(`/v1/appointments/${first}`, { notes: `note ${index}` })));
    const [exported, expected] = [(await exportOf(client, id)).body, await assembled(client, id)];
    const ofCounts = ({ conversations, sessions, appointments, events }: typeof expected) => ({
      conversations: conversations.map(({ messages }: any) => messages.length),
      sessions: sessions.map(({ turns }: any) => turns.length),
      history: appointments.map(({ history }: any) => history.length),
      events: events.length,
    });
    expect(ofCounts(exported)).toEqual(ofCounts(expected));
    expect(exported).toEqual(expected);
    expect([exported.events.length, exported.appointments[0].history.length]).toEqual([106, 203]);
  });

  it('is of somebody of whom nothing else is kept, too', async () => {
    const id = await newCustomer(app.api);
    const customer = (await app.api.get(`/v1/customers/${id}`)).body;
    const nothing = { conversations: [], sessions: [], appointments: [], events: [] };
    expect((await exportOf(app.api, id)).body).toEqual({ object: 'customer_export', customer, ...nothing });
  });

  it('is of a deleted customer as of any other', async () => {
    const id = await busyCustomer(app.api);
    const before = (await exportOf(app.api, id)).body;
    await app.api.delete(`/v1/customers/${id}`);
    const { customer, ...others } = (await exportOf(app.api, id)).body;
    expect([customer.deleted, customer.phone]).toEqual([true, before.customer.phone]);
    expect({ ...others, customer: before.customer }).toEqual(before);
  });

  it('needs no other scope than to read customers, and shows an administrator the same', async () => {
    const narrow = await app.otherProject('narrow', ['customers:read']);
    const admin = await app.admin();
    const project = (await admin.get('/admin/v1/projects?limit=100')).body.data.find(({ name }: any) => name === 'narrow').id;
    const id = await idOf(admin.post(`/admin/v1/projects/${project}/customers`, { phone: newPhone() }));
    await idOf(
      admin.post(`/admin/v1/projects/${project}/appointments`, { service: 'cut', starts_at: nextSlot(), customer_id: id }),
    );
    const { body } = await exportOf(narrow, id);
    expect([body.appointments.length, body.events.length]).toEqual([1, 1]);
    expect((await admin.get(`/admin/v1/projects/${project}/customers/${id}/export`)).body).toEqual(body);
  });

  it('is nobody else’s, and of no customer that is not there', async () => {
    const foreign = await newCustomer(await app.otherProject());
    for (const id of [foreign, NOBODY, 'cust_1', 'conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0'])
      expect(errorOf(await exportOf(app.api, id))).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
  });
});

describe('an export that nobody reads', () => {
  let client: Client;
  let id: string;
  beforeAll(async () => {
    client = await freshProject(app);
    id = await longCustomer(client);
  });

  it('waits, and is whole once it is read', async () => {
    const one = await begun(client, id);
    const other = await exportOf(client, id);
    one.response.resume();
    expect([one.response.statusCode, await one.isWhole, one.text === other.text]).toEqual([200, true, true]);
    expect(other.body).toEqual(await assembled(client, id));
  });

  it('takes one of four places of its project until its reader is gone', async () => {
    const open = await Promise.all(Array.from({ length: 4 }, () => begun(client, id)));
    expect(open.map(({ response }) => response.statusCode)).toEqual([200, 200, 200, 200]);
    const refused = await exportOf(client, id);
    expect(errorOf(refused)).toEqual([503, 'api_error', 'service_unavailable']);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect((await exportOf(app.api, await newCustomer(app.api))).status).toBe(200);
    for (const { response } of open) response.destroy();
    await eventually(async () => expect((await exportOf(client, id)).status).toBe(200));
  });

  it('is broken off when the gateway is asked to end, and never looks whole', async () => {
    const one = await begun(client, id);
    expect(await app.stop()).toBe(0);
    one.response.resume();
    expect([one.response.statusCode, await one.isWhole]).toEqual([200, false]);
    expect(one.text.startsWith('{"object":"customer_export"')).toBe(true);
    expect(() => JSON.parse(one.text) as unknown).toThrow(SyntaxError);
    await app.restart();
    client = app.as(client.token);
    expect((await exportOf(client, id)).body).toEqual(await assembled(client, id));
  });
});
