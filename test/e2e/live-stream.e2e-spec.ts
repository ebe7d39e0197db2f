import { ADMIN_PASSWORD, App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { EventReader } from './harness/event-reader.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book, change } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS } from './harness/receiver.js';

let app: App;
let backend: Backend;
let admin: Client;
beforeAll(async () => {
  backend = await Backend.start();
  app = await App.start(LOCAL_HOOKS);
  admin = await app.admin();
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const open: EventReader[] = [];
afterEach(() => open.splice(0).forEach((reader) => reader.close()));

async function stream(projectId: string, headers: Record<string, string> = {}, session = admin): Promise<EventReader> {
  const reader = await EventReader.open(session, `/admin/v1/stream?project_id=${projectId}`, headers);
  open.push(reader);
  return reader;
}

/** A new project, and a client with a key of it. */
async function project(name = 'salon') {
  const { id } = (await admin.post('/admin/v1/projects', { name })).body;
  const { secret } = (await admin.post(`/admin/v1/projects/${id}/api_keys`, { name: 'key' })).body;
  return { id: id as string, client: app.as(secret) };
}

/** A session of its own, so that its places are free. */
const session = async () => app.as((await app.as(null).post('/admin/v1/login', { password: ADMIN_PASSWORD })).body.token);
const booked = async (client: Client) => (await book(client)).body.id as string;
const ids = (reader: EventReader) => reader.events.map(({ data }) => data.id);

describe('a stream of changes', () => {
  it('begins at once, and says that proxies are to pass it on as it comes', async () => {
    const { id } = await project();
    const reader = await stream(id);
    expect(reader.status).toBe(200);
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'request-id': expect.stringMatching(/^req_/),
    });
    await eventually(() => expect(reader.comments).toEqual(['open']));
    expect(reader.lastId).toMatch(/^\d{20}$/);
  });

  it('tells of an appointment, its event and its call without their content', async () => {
    const { id, client } = await project();
    const reader = await stream(id);
    const call = (await client.post('/v1/sessions', { direction: 'inbound' })).body.id;
    const appointment = (await book(client, { session_id: call })).body.id;
    await reader.changed('session', call);
    const told = await reader.changed('appointment', appointment);
    expect(told.data).toEqual({ object: 'appointment', id: appointment, project_id: id });
    expect(told.id).toMatch(/^\d{20}$/);
    const [event] = (await client.get('/v1/events')).body.data;
    await reader.changed('event', event.id);
  });

  it('tells of a message as its conversation, and of a customer', async () => {
    const { id, client } = await project();
    const reader = await stream(id);
    const { conversation } = (await client.say('thread', 'hello')).body;
    await reader.changed('conversation', conversation.id);
    const customer = (await client.post('/v1/customers', { name: 'Kim', phone: '+4915112345678' })).body.id;
    await reader.changed('customer', customer);
  });

  it('tells of an endpoint, a delivery, a task, the project and its keys', async () => {
    const { id, client } = await project();
    const reader = await stream(id);
    const endpoint = (await client.post('/v1/webhook_endpoints', { url: backend.hook(200).url })).body.id;
    await reader.changed('webhook_endpoint', endpoint);
    await booked(client);
    const delivery = await deliveryIn('succeeded', client);
    await reader.changed('webhook_delivery', delivery.id);
    const task = (await client.post('/v1/deliveries/retry', { endpoint_id: endpoint, dry_run: true })).body.id;
    await reader.changed('task', task);
    await admin.patch(`/admin/v1/projects/${id}`, { name: 'barber' });
    await reader.changed('project', id);
    const key = (await admin.post(`/admin/v1/projects/${id}/api_keys`, { name: 'another' })).body.id;
    await reader.changed('api_key', key);
  });

  it('tells of an issue', async () => {
    const { id, client } = await project();
    const reader = await stream(id);
    await client.post('/v1/webhook_endpoints', { url: backend.hook(500).url });
    await booked(client);
    await booked(client);
    const issue = await eventually(async () => {
      const [found] = (await client.get('/v1/issues')).body.data;
      expect(found).toBeDefined();
      return found;
    });
    await reader.changed('issue', issue.id);
  });

  it('tells once of several changes of the same within a short time, with the position of the last', async () => {
    const { id, client } = await project();
    const appointment = await booked(client);
    const reader = await stream(id);
    for (let n = 0; n < 20; n++) await client.patch(`/v1/appointments/${appointment}`, { notes: `note ${n}` });
    const last = await booked(client);
    await reader.changed('appointment', last);
    const told = reader.events.filter(({ data }) => data.id === appointment);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(20);
    const positions = reader.events.map((event) => event.id);
    expect(positions).toEqual(positions.toSorted());
  });

  it('shows in the list what it has told of', async () => {
    const { id, client } = await project();
    const reader = await stream(id);
    for (let n = 0; n < 10; n++) {
      const appointment = await booked(client);
      await reader.changed('appointment', appointment);
      expect((await client.get('/v1/appointments?limit=1')).body.data[0].id).toBe(appointment);
    }
  });

  it("does not tell of another project's changes", async () => {
    const [own, other] = [await project('own'), await project('other')];
    const reader = await stream(own.id);
    await booked(other.client);
    await other.client.say('thread', 'hello');
    const appointment = await booked(own.client);
    await reader.changed('appointment', appointment);
    expect(new Set(reader.events.map(({ data }) => data.project_id))).toEqual(new Set([own.id]));
  });

  it('is refused without a project, with an unknown one and without a session', async () => {
    const get = (query: string, client = admin) => client.get(`/admin/v1/stream${query}`);
    expect(errorOf(await get(''))).toEqual([400, 'invalid_request_error', 'parameter_missing', 'project_id']);
    expect(errorOf(await get('?project_id=prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0'))).toEqual([
      404,
      'invalid_request_error',
      'resource_missing',
      'project_id',
    ]);
    expect(errorOf(await get('?project_id=nobody', app.as(null)))).toEqual([
      401,
      'authentication_error',
      'admin_session_invalid',
    ]);
  });

  it('has a head alone where only that is asked for', async () => {
    const { id } = await project();
    const { status, text } = await admin.send('HEAD', `/admin/v1/stream?project_id=${id}`, undefined);
    expect([status, text]).toEqual([200, '']);
  });
});

describe('a stream that goes on', () => {
  it('tells of everything after the given id, from the header and from the parameter', async () => {
    const { id, client } = await project();
    const before = await stream(id);
    const first = await booked(client);
    const { id: seen } = await before.changed('appointment', first);
    before.close();
    const missed = [await booked(client), await booked(client)];
    const again = [await stream(id, { 'last-event-id': seen }), await stream(`${id}&last_event_id=${seen}`)];
    const next = await booked(client);
    for (const reader of again) {
      for (const appointment of [...missed, next]) await reader.changed('appointment', appointment);
      expect(ids(reader)).not.toContain(first);
      expect(reader.events.map(({ event }) => event)).not.toContain('reset');
    }
  });

  it('loses nothing however often it is broken off under way', async () => {
    const { id, client } = await project();
    const [expected, seen] = [new Set<string>(), new Set<string>()];
    let [lastId, isOver] = ['', false];
    const reading = (async () => {
      while (!isOver || [...expected].some((one) => !seen.has(one))) {
        const reader = await stream(id, lastId === '' ? {} : { 'last-event-id': lastId });
        await reader.has(() => expect(reader.lastId).not.toBe(''));
        if (expected.size > 0) await reader.has((events) => expect(events).not.toHaveLength(0));
        reader.close();
        for (const each of ids(reader)) seen.add(each);
        lastId = reader.lastId;
      }
    })();
    await eventually(() => expect(lastId).not.toBe(''));
    for (let n = 0; n < 60; n++) expected.add(await booked(client));
    isOver = true;
    await reading;
    expect([...expected].filter((one) => !seen.has(one))).toEqual([]);
  });

  it('goes on after a comment too, so that a quiet project loses nothing', async () => {
    const { id, client } = await project();
    const quiet = await stream(id);
    await eventually(() => expect(quiet.comments).toEqual(['open']));
    quiet.close();
    const appointment = await booked(client);
    await (await stream(id, { 'last-event-id': quiet.lastId })).changed('appointment', appointment);
  });

  it('goes on after a restart', async () => {
    const { id, client } = await project();
    const before = await stream(id);
    const { id: seen } = await before.changed('appointment', await booked(client));
    await app.restart();
    [admin] = [app.as(admin.token)];
    const appointment = await booked(app.as(client.token));
    await (await stream(id, { 'last-event-id': seen })).changed('appointment', appointment);
  });

  it.each(['9'.repeat(20), 'yesterday'])('is reset where the id %s is of no position', async (lastId) => {
    const { id, client } = await project();
    const reader = await stream(id, { 'last-event-id': lastId });
    await reader.has((events) => expect(events).toEqual([{ event: 'reset', data: {}, id: expect.stringMatching(/^\d{20}$/) }]));
    const appointment = await booked(client);
    await reader.changed('appointment', appointment);
  });
});

describe('the places of streams', () => {
  it('are four a session, and free again once a stream is closed', async () => {
    const { id } = await project();
    const own = await session();
    const readers = [];
    for (let n = 0; n < 4; n++) readers.push(await stream(id, {}, own));
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = await own.get(`/admin/v1/stream?project_id=${id}`);
    expect(errorOf(refused)).toEqual([503, 'api_error', 'service_unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await stream(id, {}, await session())).status).toBe(200);
    readers[0]!.close();
    await eventually(async () => expect((await stream(id, {}, own)).status).toBe(200));
  });

  it('hold no request in flight, and are counted as what they are', async () => {
    const { id } = await project();
    const metric = async () => /^http_event_streams (\d+)$/m.exec((await app.as(null).get('/metrics')).text)?.[1];
    await eventually(async () => expect(await metric()).toBe('0'));
    const reader = await stream(id);
    expect([await metric(), await app.requestsInFlight()]).toEqual(['1', 0]);
    reader.close();
    await eventually(async () => expect(await metric()).toBe('0'));
  });
});

describe('a stream ends', () => {
  it('within five seconds of its session, others go on', async () => {
    const { id, client } = await project();
    const own = await session();
    const [ending, other] = [await stream(id, {}, own), await stream(id)];
    await own.post('/admin/v1/logout');
    const since = Date.now();
    await eventually(() => expect(ending.ended).toBe('properly'));
    expect(Date.now() - since).toBeLessThan(5_000);
    expect(other.ended).toBeNull();
    await other.changed('appointment', await booked(client));
  });

  it('at once when the service is asked to end, with a comment', async () => {
    const { id, client } = await project();
    const appointment = await booked(client);
    const reader = await stream(id);
    await change(client, appointment, 'confirm');
    const since = Date.now();
    expect(await app.stop()).toBe(0);
    expect(Date.now() - since).toBeLessThan(5_000);
    await eventually(() => expect(reader.ended).toBe('properly'));
    expect(reader.comments).toEqual(['open', 'the service shuts down']);
    await app.restart();
  });
});
