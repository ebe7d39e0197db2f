import type { App } from './app.js';
import type { Answer, Client } from './client.js';
import { eventually } from './eventually.js';
import { book, eventsOf } from './ledger.js';

/** More than the largest page size (100), and divisible by smaller page sizes. */
const COUNT = 105;
/** The count for lists whose length is limited. */
const FEW = 42;

export interface Walked {
  /** Ids in list order, oldest first. */
  readonly ids: readonly string[];
  readonly client: Client;
  readonly path: string;
}

export interface ListCase {
  readonly name: string;
  /** The id prefix of the items. */
  readonly prefix: string;
  /** What the ids have after their ULID. */
  readonly suffix?: string;
  /** The member that tells when an item was made, unless `created_at`. */
  readonly time?: string;
  readonly order: 'asc' | 'desc';
  /** Members that only an item read by its id has. */
  readonly unlisted?: readonly string[];
  /** Creates a filled list. */
  readonly fill: (app: App) => Promise<Walked>;
  /** Adds one item and returns its id. */
  readonly add: (list: Walked) => Promise<string>;
}

let projects = 0;

/** Creates a project and returns a client of it. */
export function freshProject(app: App): Promise<Client> {
  return app.otherProject(`project ${++projects}`);
}

/** The id in a successful answer. */
export async function idOf(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect([200, 201]).toContain(status);
  return body.id;
}

/** Makes items one after the other and returns their ids, oldest first. */
export async function times(count: number, make: (index: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await make(index));
  return ids;
}

export const newCustomer = (client: Client, phone: number) =>
  idOf(client.post('/v1/customers', { phone: `+49151${1_000_000 + phone}` }));

const newSession = (client: Client) => idOf(client.post('/v1/sessions', { direction: 'inbound' }));
const newEndpoint = (client: Client) => idOf(client.post('/v1/webhook_endpoints', { url: 'https://hooks.example/all' }));

/** Twenty may be open at a time; a dry run is over at once. */
const newTask = (client: Client) =>
  eventually(async () => {
    const { status, body } = await client.post('/v1/deliveries/retry', {
      created_at: { gte: '2030-01-01T00:00:00Z' },
      dry_run: true,
    });
    expect(status).toBe(202);
    return body.id as string;
  });

async function newChange(client: Client, path: string): Promise<string> {
  const { status, body } = await client.patch(path.replace(/\/history$/, ''), { notes: `note ${Math.random()}` });
  expect(status).toBe(200);
  return `${body.id}.${body.version}`;
}

const newTurn = (client: Client, path: string, content: string) => idOf(client.post(path, { role: 'user', content }));

/** Books an appointment and returns the id of its event. */
async function newEvent(client: Client): Promise<string> {
  const [event] = await eventsOf(client, await idOf(book(client)));
  return event.id;
}

/** Replays the oldest delivery of an event and waits until the replay has failed, after which it no longer changes. */
async function newDelivery({ client, path }: Pick<Walked, 'client' | 'path'>): Promise<string> {
  const [oldest] = (await client.get(`${path}?limit=1&order=asc`)).body.data;
  const { status, body } = await client.post(`${path}/${oldest.id}/retry`);
  expect(status).toBe(202);
  return settled({ client, path }, body.id);
}

/** Books an appointment and returns the id of the delivery of its event, which has failed. */
async function deliveredEvent(client: Client): Promise<string> {
  return settled({ client, path: `/v1/events/${await newEvent(client)}/deliveries` });
}

function settled({ client, path }: Pick<Walked, 'client' | 'path'>, id?: string): Promise<string> {
  return eventually(async () => {
    const [newest] = (await client.get(`${path}?limit=1`)).body.data;
    expect(newest).toMatchObject({ status: 'failed', ...(id && { id }) });
    return newest.id;
  });
}

/** A list in a new project, filled by `count` calls of `make`. */
function filled(path: string, count: number, make: (client: Client) => Promise<string>): Pick<ListCase, 'fill' | 'add'> {
  return {
    fill: async (app) => {
      const client = await freshProject(app);
      return { ids: await times(count, () => make(client)), client, path };
    },
    add: ({ client }) => make(client),
  };
}

/** Tasks that are over: an open one changes between two reads. */
async function settledTasks(app: App): Promise<Walked> {
  const list = await filled('/v1/tasks', FEW, newTask).fill(app);
  for (const status of ['pending', 'running']) {
    await eventually(async () => expect((await list.client.get(`/v1/tasks?status=${status}`)).body.data).toEqual([]));
  }
  return list;
}

/** Every list of the API; a new list route needs an entry here. */
export const LISTS: readonly ListCase[] = [
  {
    name: 'conversations',
    prefix: 'conv',
    order: 'desc',
    fill: async (app) => {
      const client = await freshProject(app);
      const ids = await times(COUNT, () => idOf(client.post('/v1/conversations', {})));
      return { ids, client, path: '/v1/conversations' };
    },
    add: ({ client }) => idOf(client.post('/v1/conversations', {})),
  },
  {
    name: 'customers',
    prefix: 'cust',
    order: 'desc',
    fill: async (app) => {
      const client = await freshProject(app);
      return { ids: await times(COUNT, (index) => newCustomer(client, index)), client, path: '/v1/customers' };
    },
    add: ({ client }) => newCustomer(client, COUNT + Math.floor(Math.random() * 1_000_000)),
  },
  {
    name: 'a transcript',
    prefix: 'msg',
    order: 'asc',
    fill: async (app) => {
      const client = await freshProject(app);
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
    fill: async (app) => {
      const client = await app.admin();
      const project = await idOf(client.post('/admin/v1/projects', { name: 'with keys' }));
      const path = `/admin/v1/projects/${project}/api_keys`;
      return { ids: await times(FEW, () => idOf(client.post(path, { name: 'key' }))), client, path };
    },
    add: ({ client, path }) => idOf(client.post(path, { name: 'key' })),
  },
  {
    name: 'projects',
    prefix: 'prj',
    order: 'desc',
    fill: async (app) => {
      const client = await app.admin();
      const path = '/admin/v1/projects';
      await times(COUNT, () => idOf(client.post(path, { name: 'one of many' })));
      return { ids: (await walk({ client, path }, { limit: 100 })).toReversed(), client, path };
    },
    add: ({ client, path }) => idOf(client.post(path, { name: 'one more' })),
  },
  {
    name: 'appointments',
    prefix: 'apt',
    order: 'desc',
    ...filled('/v1/appointments', COUNT, (client) => idOf(book(client))),
  },
  { name: 'sessions', prefix: 'sess', order: 'desc', ...filled('/v1/sessions', COUNT, newSession) },
  {
    name: "a call's transcript",
    prefix: 'turn',
    order: 'asc',
    fill: async (app) => {
      const client = await freshProject(app);
      const path = `/v1/sessions/${await newSession(client)}/turns`;
      return { ids: await times(COUNT, (index) => newTurn(client, path, `sentence ${index}`)), client, path };
    },
    add: ({ client, path }) => newTurn(client, path, 'one more'),
  },
  {
    name: 'what happened to an appointment',
    prefix: 'apt',
    suffix: '.1',
    time: 'at',
    order: 'asc',
    fill: async (app) => {
      const client = await freshProject(app);
      const id = await idOf(book(client));
      const path = `/v1/appointments/${id}/history`;
      return { ids: [`${id}.1`, ...(await times(COUNT, () => newChange(client, path)))], client, path };
    },
    add: ({ client, path }) => newChange(client, path),
  },
  { name: 'events', prefix: 'evt', order: 'desc', ...filled('/v1/events', COUNT, newEvent) },
  { name: 'tasks', prefix: 'task', order: 'desc', ...filled('/v1/tasks', FEW, newTask), fill: settledTasks },
  { name: 'webhook endpoints', prefix: 'we', order: 'desc', ...filled('/v1/webhook_endpoints', FEW, newEndpoint) },
  {
    name: 'the deliveries of an event',
    prefix: 'whd',
    order: 'desc',
    fill: async (app) => {
      const client = await freshProject(app);
      // The service itself is the receiver: its 404 for an unknown route fails each delivery permanently.
      await idOf(client.post('/v1/webhook_endpoints', { url: `${app.url}/no-hook` }));
      const path = `/v1/events/${await newEvent(client)}/deliveries`;
      const first = await settled({ client, path });
      return { ids: [first, ...(await times(FEW, () => newDelivery({ client, path })))], client, path };
    },
    add: newDelivery,
  },
  {
    name: 'the deliveries of all events',
    prefix: 'whd',
    order: 'desc',
    unlisted: ['attempts', 'event'],
    fill: async (app) => {
      const client = await freshProject(app);
      await idOf(client.post('/v1/webhook_endpoints', { url: `${app.url}/no-hook` }));
      return { ids: await times(FEW, () => deliveredEvent(client)), client, path: '/v1/deliveries' };
    },
    add: ({ client }) => deliveredEvent(client),
  },
];

export type Query = Readonly<Record<string, string | number | null>>;

export function get({ client, path }: Pick<Walked, 'client' | 'path'>, query: Query = {}): Promise<Answer> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)] as [string, string]],
  );
  return client.get(`${path}?${new URLSearchParams(given)}`);
}

/** The ids of a page; expects a list envelope without other members. */
export function idsOf(page: Answer): string[] {
  return itemsOf(page).map(({ id }) => id);
}

// oxlint-disable-next-line typescript/no-explicit-any
function itemsOf({ status, body }: Answer): any[] {
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['data', 'has_more', 'next_cursor', 'object']);
  expect(body.object).toBe('list');
  return body.data;
}

/** Walks all pages by `next_cursor`, expects `has_more` to agree with it, and returns all ids. */
export async function walk(list: Pick<Walked, 'client' | 'path'>, query: Query): Promise<string[]> {
  return (await walkItems(list, query)).map(({ id }) => id);
}

/** The same for whole items. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function walkItems(list: Pick<Walked, 'client' | 'path'>, query: Query): Promise<any[]> {
  const seen: object[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await get(list, { ...query, starting_after: cursor });
    seen.push(...itemsOf(page));
    expect(page.body.has_more).toBe(page.body.next_cursor !== null);
    cursor = page.body.next_cursor;
    if (cursor === null) return seen;
  }
}
