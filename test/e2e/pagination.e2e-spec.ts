import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book, eventsOf } from './harness/ledger.js';
import { freshProject, get, idOf, idsOf, LISTS, times, walk, type Walked } from './harness/lists.js';
import { LOCAL_HOOKS } from './harness/receiver.js';

let app: App;
beforeAll(async () => {
  app = await App.start(LOCAL_HOOKS);
});
afterAll(() => app.dispose());

describe.each(LISTS)('$name', ({ prefix, suffix = '', time = 'created_at', order, unlisted = [], fill, add }) => {
  let list: Walked;
  /** The ids in list order. */
  let ids: readonly string[];
  const wrongKind = prefix === 'cust' ? 'conv' : 'cust';
  beforeAll(async () => {
    list = await fill(app);
    ids = order === 'desc' ? list.ids.toReversed() : list.ids;
  });

  it('shows 20 items unless told otherwise, in their order', async () => {
    expect(idsOf(await get(list))).toEqual(ids.slice(0, 20));
  });

  it('shows each item as it is read by its id', async () => {
    const { body } = await get(list, { limit: 3 });
    const isReadById = /^\/(admin\/)?v1\/\w+$/.test(list.path);
    const read = async (id: string) => {
      const { body: item } = await list.client.get(`${list.path}/${id}`);
      return Object.fromEntries(Object.entries(item).filter(([name]) => !unlisted.includes(name)));
    };
    for (const item of isReadById ? body.data : []) expect(await read(item.id)).toEqual(item);
    expect(body.data).toHaveLength(3);
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

  it('is narrowed to what was created at a time, with pages and their ends as ever', async () => {
    const { body } = await get(list, { limit: 100 });
    const all: readonly (readonly [id: string, at: string])[] = body.data.map((item: any) => [item.id, item[time]]);
    const [from, to] = [all[10]![1], all[30]![1]].toSorted();
    const then = all.filter(([, at]) => from! <= at && at <= to!).map(([id]) => id);
    const query = { 'created_at[gte]': from!, 'created_at[lte]': to! };
    expect(await walk(list, { ...query, limit: 4 })).toEqual(then);
    expect(idsOf(await get(list, { ...query, ending_before: then.at(-1)!, limit: 100 }))).toEqual(then.slice(0, -1));
    expect(idsOf(await get(list, { ...query, starting_after: ids.at(-1)! }))).toEqual([]);
    expect(errorOf(await get(list, { 'created_at[gte]': 'yesterday' }))[3]).toBe('created_at');
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
    const past = `${prefix}_00000000000000000000000000${suffix}`;
    const future = `${prefix}_7ZZZZZZZZZZZZZZZZZZZZZZZZZ${suffix}`;
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

  it('refuses the cursor of another list', async () => {
    const path = wrongKind === 'cust' ? '/v1/customers' : '/v1/conversations';
    const make = (phone: string) => app.api.post(path, wrongKind === 'cust' ? { phone } : {});
    for (const phone of ['+4915100000001', '+4915100000002']) await make(phone);
    const { body } = await get({ client: app.api, path }, { limit: 1 });
    expect(body.next_cursor).toMatch(/^cur_/);
    for (const way of ['starting_after', 'ending_before']) {
      const refused = await get(list, { [way]: body.next_cursor });
      expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'cursor_invalid', way]);
    }
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

describe('a walk', () => {
  it.each(['asc', 'desc'])('shows all that happened at one instant, wherever its pages end: %s', async (order) => {
    const list = { client: await freshProject(app), path: '/v1/events' };
    await times(5, () => idOf(book(list.client, { status: 'confirmed' })));
    const { body } = await get(list, { order, limit: 100 });
    const instants = new Set(body.data.map(({ created_at }: { created_at: string }) => created_at));
    expect([body.data.length, instants.size <= 5]).toEqual([10, true]);
    const ids = body.data.map(({ id }: { id: string }) => id);
    for (const limit of [1, 3]) expect(await walk(list, { order, limit })).toEqual(ids);
  });

  it.each(['asc', 'desc'])('shows what was there before it, each item once, while others write: %s', async (order) => {
    const list = { client: await freshProject(app), path: '/v1/appointments' };
    const there = await times(40, () => idOf(book(list.client)));
    let isOver = false;
    const writing = Promise.all(Array.from({ length: 4 }, () => times(60, () => idOf(book(list.client)))));
    const written = writing.finally(() => (isOver = true));
    const walks: string[][] = [];
    while (!isOver) walks.push(await walk(list, { order, limit: 7 }));
    const added = (await written).flat();
    expect([added.length, walks.length > 0]).toEqual([240, true]);
    // In ascending order a walk may follow the writers to their end.
    if (order === 'desc') expect(walks.some((seen) => added.some((id) => !seen.includes(id)))).toBe(true);
    for (const seen of walks) {
      expect(new Set(seen).size).toBe(seen.length);
      const old = seen.filter((id) => there.includes(id));
      expect(order === 'desc' ? old.toReversed() : old).toEqual(there);
    }
  });

  it('goes on after a delivery to another endpoint when it is narrowed to one', async () => {
    const client = await freshProject(app);
    await times(3, () => idOf(client.post('/v1/webhook_endpoints', { url: `${app.url}/no-hook` })));
    const [event] = await eventsOf(client, await idOf(book(client)));
    const list = { client, path: `/v1/events/${event.id}/deliveries` };
    const ids = await eventually(async () => {
      const found = idsOf(await get(list));
      expect(found).toHaveLength(3);
      return found;
    });
    const endpoints: string[] = (await get(list)).body.data.map((one: any) => one.webhook_endpoint_id);
    const after = (id: string) => Promise.all(endpoints.map((endpoint_id) => get(list, { endpoint_id, starting_after: id })));
    expect((await after(ids[1]!)).map(idsOf)).toEqual([[], [], [ids[2]]]);
  });
});
