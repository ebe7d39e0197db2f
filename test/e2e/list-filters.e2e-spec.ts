import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';
import { freshProject, get, idOf, idsOf, newCustomer, times, type Walked } from './harness/lists.js';

let app: App;
let strangers: Client;
beforeAll(async () => {
  app = await App.start();
  strangers = await app.otherProject('strangers');
});
afterAll(() => app.dispose());

describe('customers', () => {
  let client: Client;
  let list: Pick<Walked, 'client' | 'path'>;
  beforeEach(async () => {
    client = await freshProject(app);
    list = { client, path: '/v1/customers' };
  });

  it('that were deleted leave the list and still mark their place', async () => {
    const ids = (await times(6, (index) => newCustomer(client, index))).toReversed();
    const { body } = await get(list, { limit: 3 });
    await client.delete(`/v1/customers/${ids[2]}`);
    for (const cursor of [body.next_cursor, ids[2]!]) {
      expect(idsOf(await get(list, { starting_after: cursor }))).toEqual(ids.slice(3));
      expect(idsOf(await get(list, { ending_before: cursor }))).toEqual(ids.slice(0, 2));
    }
    expect(idsOf(await get(list))).toEqual(ids.filter((id) => id !== ids[2]));
    const all = await get(list, { include_deleted: 'true' });
    expect(idsOf(all)).toEqual(ids);
    expect(all.body.data[2]).toMatchObject({ deleted: true });
  });

  it('are found by phone, e-mail, external id and time, and only by what matches all', async () => {
    const terms = { phone: '+4915112345678', email: 'Ada@Example.com', external_id: 'crm-1' };
    const ada = await idOf(client.post('/v1/customers', terms));
    await newCustomer(client, 1);
    const { body } = await client.get(`/v1/customers/${ada}`);
    for (const query of [
      { phone: terms.phone },
      { email: 'ada@example.com' },
      { external_id: 'crm-1' },
      { 'created_at[lte]': body.created_at, phone: terms.phone },
    ]) {
      expect(idsOf(await get(list, query))).toEqual([ada]);
    }
    expect(idsOf(await get(list, { phone: terms.phone, external_id: 'crm-2' }))).toEqual([]);
    expect(idsOf(await get(list, { 'created_at[lt]': body.created_at }))).toEqual([]);
    const justAfter = body.created_at.replace('Z', '9Z');
    expect(idsOf(await get(list, { 'created_at[lt]': justAfter, phone: terms.phone }))).toEqual([ada]);
    expect(idsOf(await get(list, { 'created_at[gte]': justAfter, phone: terms.phone }))).toEqual([]);
    expect(errorOf(await get(list, { 'created_at[gte]': 'yesterday' }))).toEqual([
      400,
      'invalid_request_error',
      'parameter_invalid',
      'created_at',
    ]);
  });

  it('of another project stand for their time only, as ids that nobody has do', async () => {
    const before = await newCustomer(client, 1);
    const theirs = await newCustomer(strangers, Math.floor(Math.random() * 1_000_000));
    const after = await newCustomer(client, 2);
    expect(idsOf(await get(list, { starting_after: theirs }))).toEqual([before]);
    expect(idsOf(await get(list, { starting_after: theirs, order: 'asc' }))).toEqual([after]);
    expect(idsOf(await get({ client: strangers, path: list.path }, { starting_after: after }))).not.toContain(before);
  });
});

describe('conversations', () => {
  it('are filtered by status, thread, customer and time between pages of any filter', async () => {
    const client = await freshProject(app);
    const list = { client, path: '/v1/conversations' };
    const linked = await client.post('/v1/conversations', { external_id: 'a', customer: { phone: '+4915100000001' } });
    const [ended, open] = await times(2, (index) => idOf(client.post('/v1/conversations', { external_id: `t${index}` })));
    await client.post(`/v1/conversations/${ended}/end`);
    await client.say('a', 'hello');
    expect(idsOf(await get(list, { status: 'ended' }))).toEqual([ended]);
    expect(idsOf(await get(list, { status: 'active' }))).toEqual([open, linked.body.id]);
    expect(idsOf(await get(list, { external_id: 'a' }))).toEqual([linked.body.id]);
    expect(idsOf(await get(list, { customer_id: linked.body.customer_id }))).toEqual([linked.body.id]);
    expect(idsOf(await get(list, { 'last_message_at[gte]': linked.body.created_at }))).toEqual([linked.body.id]);
    const { body } = await get(list, { limit: 1 });
    const newest = body.data[0].created_at;
    expect(idsOf(await get(list, { 'created_at[lte]': newest }))).toEqual([open, ended, linked.body.id]);
    expect(idsOf(await get(list, { 'created_at[gt]': newest }))).toEqual([]);
    expect(idsOf(await get(list, { status: 'ended', starting_after: body.next_cursor }))).toEqual([ended]);
    expect(errorOf(await get(list, { status: 'asleep' }))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'status']);
  });
});

describe('a transcript', () => {
  it('is filtered by role, and takes no cursor of another conversation for a place of its own', async () => {
    const client = await freshProject(app);
    const one = await client.say('one', 'hello');
    const two = await client.say('two', 'hello');
    const list = { client, path: `/v1/conversations/${one.body.conversation_id}/messages` };
    expect(idsOf(await get(list, { role: 'user' }))).toEqual([one.body.id]);
    expect(idsOf(await get(list, { role: 'assistant' }))).toEqual([one.body.reply.id]);
    expect(errorOf(await get(list, { role: 'robot' }))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'role']);
    const other = await get({ client, path: `/v1/conversations/${two.body.conversation_id}/messages` }, { limit: 1 });
    const own = [one.body.id, one.body.reply.id];
    const page = idsOf(await get(list, { starting_after: other.body.next_cursor, order: 'desc' }));
    expect(page.every((id) => own.includes(id))).toBe(true);
  });
});

describe('a cursor', () => {
  it('outlives a restart of the service', async () => {
    const client = await freshProject(app);
    const ids = (await times(4, (index) => newCustomer(client, index))).toReversed();
    const { body } = await get({ client, path: '/v1/customers' }, { limit: 2 });
    await app.restart();
    const again = { client: app.as(client.token), path: '/v1/customers' };
    expect(idsOf(await get(again, { starting_after: body.next_cursor }))).toEqual(ids.slice(2));
  });
});

describe('a filter by an id', () => {
  it.each([
    ['/v1/conversations', 'customer_id'],
    ['/v1/sessions', 'customer_id'],
    ['/v1/sessions', 'conversation_id'],
    ['/v1/appointments', 'customer_id'],
    ['/v1/appointments', 'session_id'],
    ['/v1/appointments', 'conversation_id'],
    ['/v1/events', 'object_id'],
    ['/v1/events/evt_x/deliveries', 'endpoint_id'],
    ['/v1/deliveries', 'endpoint_id'],
    ['/v1/deliveries', 'event_id'],
    ['/v1/deliveries', 'object_id'],
  ])('of %s refuses as %s what is no id of that kind', async (path, param) => {
    const list = { client: await freshProject(app), path };
    const refused = [400, 'invalid_request_error', 'parameter_invalid', param];
    for (const text of ['msg_01JT0000000000000000000000', 'Ada', '']) {
      expect(errorOf(await get(list, { [param]: text }))).toEqual(refused);
    }
  });

  it('finds nothing by one that nobody has', async () => {
    const list = { client: await freshProject(app), path: '/v1/appointments' };
    expect(idsOf(await get(list, { customer_id: 'cust_01JT0000000000000000000000' }))).toEqual([]);
  });
});

describe('a filter by time', () => {
  const FORMS = [
    '2020-01-01T00:00:00.000000+0000',
    '2020-01-01T01:00:00%2B0100',
    '2020-01-01T00:00Z',
    '2020-01-01%2001:00:00+01',
  ];

  it.each([
    ['/v1/conversations', ['created_at', 'last_message_at']],
    ['/v1/customers', ['created_at']],
    ['/v1/sessions', ['created_at', 'started_at']],
    ['/v1/appointments', ['created_at', 'updated_at', 'starts_at']],
    ['/v1/events', ['created_at']],
    ['/v1/webhook_endpoints', ['created_at']],
  ])('of %s takes the times of generated clients', async (path, fields) => {
    const client = await freshProject(app);
    for (const field of fields)
      for (const time of FORMS)
        for (const operator of ['gte', 'lt']) {
          const { status, body } = await client.get(`${path}?${field}[${operator}]=${time}`);
          expect([field, time, status, body.object]).toEqual([field, time, 200, 'list']);
        }
  });

  it('means the same instant however its offset is written', async () => {
    const client = await freshProject(app);
    const { body } = await client.post('/v1/appointments', { service: 'haircut', starts_at: '2031-03-01T09:00:00Z' });
    for (const offset of ['+01:00', '+0100', '%2B0100', '+01']) {
      const at = `starts_at[gte]=2031-03-01T10:00:00${offset}&starts_at[lte]=2031-03-01T10:00:00.000000${offset}`;
      const found = await client.get(`/v1/appointments?${at}`);
      expect([offset, idsOf(found)]).toEqual([offset, [body.id]]);
    }
  });
});
