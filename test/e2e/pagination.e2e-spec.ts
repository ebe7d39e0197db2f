import { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

jest.setTimeout(120_000);

/** More than the largest page, and divisible into full ones. */
const COUNT = 105;

interface Walked {
  /** Ids in list order, oldest first. */
  readonly ids: readonly string[];
  readonly client: Client;
  readonly path: string;
}

interface ListCase {
  readonly name: string;
  /** Prefix of its items' ids. */
  readonly prefix: string;
  readonly order: 'asc' | 'desc';
  /** A fresh list and what is in it. */
  readonly fill: () => Promise<Walked>;
  /** Adds one item: its id. */
  readonly add: (list: Walked) => Promise<string>;
}

let app: App;
let strangers: Client;
beforeAll(async () => {
  app = await App.start();
  strangers = await app.otherProject('strangers');
});
afterAll(() => app.dispose());

let projects = 0;

function freshProject(): Promise<Client> {
  return app.otherProject(`project ${++projects}`);
}

async function idOf(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect([200, 201]).toContain(status);
  return body.id;
}

async function times(count: number, make: (index: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await make(index));
  return ids;
}

const customer = (client: Client, phone: number) => idOf(client.post('/v1/customers', { phone: `+49151${1_000_000 + phone}` }));

const LISTS: readonly ListCase[] = [
  {
    name: 'conversations',
    prefix: 'conv',
    order: 'desc',
    fill: async () => {
      const client = await freshProject();
      const ids = await times(COUNT, () => idOf(client.post('/v1/conversations', {})));
      return { ids, client, path: '/v1/conversations' };
    },
    add: ({ client }) => idOf(client.post('/v1/conversations', {})),
  },
  {
    name: 'customers',
    prefix: 'cust',
    order: 'desc',
    fill: async () => {
      const client = await freshProject();
      return { ids: await times(COUNT, (index) => customer(client, index)), client, path: '/v1/customers' };
    },
    add: ({ client }) => customer(client, COUNT + Math.floor(Math.random() * 1_000_000)),
  },
  {
    name: 'a transcript',
    prefix: 'msg',
    order: 'asc',
    fill: async () => {
      const client = await freshProject();
      const conversation = await idOf(client.post('/v1/conversations', { external_id: 'long' }));
      const ids: string[] = [];
      while (ids.length <= COUNT) {
        const { body } = await client.say('long', 'hello');
        ids.push(body.id, body.reply.id);
      }
      return { ids, client, path: `/v1/conversations/${conversation}/messages` };
    },
    add: async ({ client }) => (await client.say('long', 'one more')).body.reply.id,
  },
  {
    name: 'api keys',
    prefix: 'key',
    order: 'desc',
    fill: async () => {
      const client = await app.admin();
      const project = await idOf(client.post('/admin/v1/projects', { name: 'with keys' }));
      const path = `/admin/v1/projects/${project}/api_keys`;
      return { ids: await times(42, () => idOf(client.post(path, { name: 'key' }))), client, path };
    },
    add: ({ client, path }) => idOf(client.post(path, { name: 'key' })),
  },
  {
    name: 'projects',
    prefix: 'prj',
    order: 'desc',
    fill: async () => {
      const client = await app.admin();
      const path = '/admin/v1/projects';
      await times(COUNT, () => idOf(client.post(path, { name: 'one of many' })));
      return { ids: (await walk({ client, path }, { limit: 100 })).toReversed(), client, path };
    },
    add: ({ client, path }) => idOf(client.post(path, { name: 'one more' })),
  },
];

type Query = Readonly<Record<string, string | number | null>>;

function get({ client, path }: Pick<Walked, 'client' | 'path'>, query: Query = {}): Promise<Answer> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)] as [string, string]],
  );
  return client.get(`${path}?${new URLSearchParams(given)}`);
}

function idsOf({ status, body }: Answer): string[] {
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['data', 'has_more', 'next_cursor', 'object']);
  expect(body.object).toBe('list');
  return body.data.map(({ id }: { id: string }) => id);
}

/** Every page after the other by `next_cursor`, checking that the envelope never contradicts itself. */
async function walk(list: Pick<Walked, 'client' | 'path'>, query: Query): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await get(list, { ...query, starting_after: cursor });
    seen.push(...idsOf(page));
    expect(page.body.has_more).toBe(page.body.next_cursor !== null);
    cursor = page.body.next_cursor;
    if (cursor === null) return seen;
  }
}

describe.each(LISTS)('$name', ({ prefix, order, fill, add }) => {
  let list: Walked;
  /** In list order. */
  let ids: readonly string[];
  const wrongKind = prefix === 'cust' ? 'conv' : 'cust';
  beforeAll(async () => {
    list = await fill();
    ids = order === 'desc' ? list.ids.toReversed() : list.ids;
  });

  it('shows 20 items unless told otherwise, in their order', async () => {
    expect(idsOf(await get(list))).toEqual(ids.slice(0, 20));
  });

  it.each([
    ['0', 1],
    ['-7', 1],
    ['1', 1],
    ['99', 99],
    ['100', 100],
    ['101', 100],
    ['1000', 100],
    ['999999999999999999999999', 100],
  ])('takes a limit of %s as %d', async (limit, count) => {
    expect(idsOf(await get(list, { limit }))).toEqual(ids.slice(0, count));
  });

  it.each(['abc', '1.5', '', '1e2', '0x10', ' 5', 'NaN'])('refuses the limit %j', async (limit) => {
    expect(errorOf(await get(list, { limit }))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'limit']);
  });

  it.each([1, 7, 20, 21, 35, 100])('is walked to its end in pages of %d, each item once', async (limit) => {
    expect(await walk(list, { limit })).toEqual(ids);
  });

  it('is walked the other way round', async () => {
    const reverse = order === 'desc' ? 'asc' : 'desc';
    expect(await walk(list, { limit: 40, order: reverse })).toEqual(ids.toReversed());
    expect(errorOf(await get(list, { order: 'sideways' }))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'order']);
  });

  it('says that an exactly full last page is the last', async () => {
    const { body } = await get(list, { limit: 5, starting_after: ids.at(-6)! });
    expect(body).toMatchObject({ has_more: false, next_cursor: null });
    expect(body.data).toHaveLength(5);
    expect((await get(list, { limit: 4, starting_after: ids.at(-6)! })).body).toMatchObject({
      has_more: true,
      next_cursor: expect.stringMatching(/^cur_[\w-]+$/),
    });
    expect((await get(list, { starting_after: ids.at(-1)! })).body).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it('goes on after an id as after the cursor of the same item', async () => {
    const first = await get(list, { limit: 10 });
    const byToken = await get(list, { limit: 10, starting_after: first.body.next_cursor });
    const byId = await get(list, { limit: 10, starting_after: ids[9]! });
    expect(idsOf(byToken)).toEqual(ids.slice(10, 20));
    expect(byId.text).toBe(byToken.text);
  });

  it('shows the page before an item, and whether there is more before it', async () => {
    const page = await get(list, { limit: 5, ending_before: ids[8]! });
    expect(idsOf(page)).toEqual(ids.slice(3, 8));
    expect(page.body.has_more).toBe(true);
    expect(idsOf(await get(list, { limit: 5, starting_after: page.body.next_cursor }))).toEqual(ids.slice(8, 13));
    const first = await get(list, { limit: 5, ending_before: ids[5]! });
    expect(idsOf(first)).toEqual(ids.slice(0, 5));
    expect(first.body.has_more).toBe(false);
    expect((await get(list, { ending_before: ids[0]! })).body).toMatchObject({ data: [], has_more: false, next_cursor: null });
  });

  it('takes an id that nobody has for its time', async () => {
    const past = `${prefix}_00000000000000000000000000`;
    const future = `${prefix}_7ZZZZZZZZZZZZZZZZZZZZZZZZZ`;
    const [before, beyond] = order === 'desc' ? [future, past] : [past, future];
    expect(idsOf(await get(list, { starting_after: before }))).toEqual(ids.slice(0, 20));
    expect(idsOf(await get(list, { starting_after: beyond }))).toEqual([]);
  });

  it('refuses what is no cursor of its own', async () => {
    const { body } = await get(list, { limit: 1 });
    const cursor: string = body.next_cursor;
    const altered = cursor.slice(0, 20) + (cursor[20] === 'A' ? 'B' : 'A') + cursor.slice(21);
    const bad = [
      altered,
      `${cursor}A`,
      cursor.slice(0, -1),
      'cur_',
      'abc',
      '',
      ids[0]!.toLowerCase(),
      `${wrongKind}_01J9Z3K8Q4T6V8X0A2C4E6G8J0`,
    ];
    for (const text of bad) {
      expect(errorOf(await get(list, { starting_after: text }))).toEqual([
        400,
        'invalid_request_error',
        'cursor_invalid',
        'starting_after',
      ]);
      expect(errorOf(await get(list, { ending_before: text }))).toEqual([
        400,
        'invalid_request_error',
        'cursor_invalid',
        'ending_before',
      ]);
    }
    const both = await get(list, { starting_after: ids[0]!, ending_before: ids[1]! });
    expect(errorOf(both).slice(0, 3)).toEqual([400, 'invalid_request_error', 'parameter_conflict']);
  });

  it('ignores parameters it does not know', async () => {
    expect(idsOf(await get(list, { page: 3, offset: 'x', cursor: '', 'a[b]': 'c' }))).toEqual(ids.slice(0, 20));
  });

  it('shows what was just written, and new items move no later page', async () => {
    const first = await get(list, { limit: 15, order: 'desc' });
    const added = await times(3, () => add(list));
    const newest = idsOf(await get(list, { limit: 100, order: 'desc' }));
    expect(added.every((id) => newest.includes(id))).toBe(true);
    expect(newest[0]).toBe(added.at(-1));
    const second = await get(list, { limit: 15, order: 'desc', starting_after: first.body.next_cursor });
    expect(idsOf(second)).toEqual((order === 'desc' ? ids : ids.toReversed()).slice(15, 30));
  });
});

describe('customers', () => {
  let client: Client;
  let list: Pick<Walked, 'client' | 'path'>;
  beforeEach(async () => {
    client = await freshProject();
    list = { client, path: '/v1/customers' };
  });

  it('that were deleted leave the list and still mark their place', async () => {
    const ids = (await times(6, (index) => customer(client, index))).toReversed();
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
    await customer(client, 1);
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
    expect(errorOf(await get(list, { 'created_at[gte]': 'yesterday' }))).toEqual([
      400,
      'invalid_request_error',
      'parameter_invalid',
      'created_at',
    ]);
  });

  it('of another project stand for their time only, as ids that nobody has do', async () => {
    const before = await customer(client, 1);
    const theirs = await customer(strangers, Math.floor(Math.random() * 1_000_000));
    const after = await customer(client, 2);
    expect(idsOf(await get(list, { starting_after: theirs }))).toEqual([before]);
    expect(idsOf(await get(list, { starting_after: theirs, order: 'asc' }))).toEqual([after]);
    expect(idsOf(await get({ client: strangers, path: list.path }, { starting_after: after }))).not.toContain(before);
  });
});

describe('conversations', () => {
  it('are filtered by status, thread, customer and time between pages of any filter', async () => {
    const client = await freshProject();
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
    expect(idsOf(await get(list, { status: 'ended', starting_after: body.next_cursor }))).toEqual([ended]);
    expect(errorOf(await get(list, { status: 'asleep' }))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'status']);
  });
});

describe('a transcript', () => {
  it('is filtered by role, and takes no cursor of another conversation for a place of its own', async () => {
    const client = await freshProject();
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
    const client = await freshProject();
    const ids = (await times(4, (index) => customer(client, index))).toReversed();
    const { body } = await get({ client, path: '/v1/customers' }, { limit: 2 });
    await app.restart();
    const again = { client: app.as(client.token), path: '/v1/customers' };
    expect(idsOf(await get(again, { starting_after: body.next_cursor }))).toEqual(ids.slice(2));
  });
});
