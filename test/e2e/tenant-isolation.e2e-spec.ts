import { ID_PREFIXES, type IdKind } from '@domain/kernel/ids';
import { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  /** The patterns of the ids in the path, in order. */
  readonly parts: readonly string[];
  readonly body: Schema | null;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly example?: unknown;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
}

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];
const REFERENCE = /_id$/;
/** Of references whose name does not begin with the prefix of their ids. */
const PREFIX_OF: Readonly<Record<string, string>> = { endpoint: 'we', object: 'apt' };
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

let service: App;
let document: any;
let operations: readonly Operation[];
/** Every id in the answers to project B. */
let foreignIds: readonly string[];
let foreignCursors: readonly string[];
let ownIds: readonly string[];
let projectA: Client;
let projectB: Client;

/** Creates something of every kind that the routes can create. */
async function fill(client: Client, name: string): Promise<Answer[]> {
  const customer = { phone: '+4915112345678', email: `${name}@example.com` };
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const booking = {
    service: 'cleaning',
    starts_at: later,
    duration_minutes: 30,
    time_zone: 'UTC',
    customer,
    status: 'confirmed',
  };
  const answers = [
    await client.post('/v1/webhook_endpoints', { url: `https://hooks.example.com/${name}` }),
    await client.post('/v1/messages', { external_conversation_id: `thread-${name}`, content: 'Hello', customer }),
    await client.post('/v1/conversations', { external_id: `thread-${name}2`, customer }),
    await client.post('/v1/sessions', { direction: 'inbound', from: '+4915112345678', to: '+49301234', customer }),
    await client.post('/v1/appointments', booking),
    await client.post('/v1/deliveries/retry', { created_at: { gte: later }, dry_run: true }),
  ];
  const lists = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{') && path.startsWith('/v1/'));
  for (const { path } of lists) answers.push(await client.get(`${path}?limit=1`));
  answers.push(await deliveries(client));
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  return answers;
}

/** The deliveries of the newest event, once it is fanned out. */
function deliveries(client: Client): Promise<Answer> {
  return eventually(async () => {
    const { body } = await client.get('/v1/events?limit=1');
    const answer = await client.get(`/v1/events/${body.data[0]?.id}/deliveries`);
    expect(answer.body.data).toHaveLength(1);
    return answer;
  });
}

function readOperations(): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, any>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.filter((one: any) => one.in === 'query').map((one: any) => one.name as string),
      parts: parameters.filter((one: any) => one.in === 'path').map((one: any) => one.schema.pattern as string),
      body: requestBody?.content?.['application/json']?.schema ?? null,
    })),
  );
}

function resolved(schema: Schema): Schema {
  if (schema.$ref) return resolved(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  return schema.allOf?.[0] ? { ...resolved(schema.allOf[0]), ...schema } : schema;
}

/** A minimal body that the schema accepts. */
function sample(schema: Schema): unknown {
  const { type, properties = {}, required = [], enum: choices, format, pattern, minimum, example, items } = resolved(schema);
  if (example !== undefined) return example;
  if (choices) return choices[0];
  if (type === 'object' || Object.keys(properties).length > 0) {
    return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
  }
  if (type === 'array') return items ? [sample(items)] : [];
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return false;
  if (format === 'date-time') return '2030-01-01T09:00:00.000Z';
  if (format === 'uri') return 'https://hooks.example.com/a';
  return pattern?.startsWith('^\\+') ? '+4915100000000' : 'text';
}

/** The members that refer to our resources; external ids do not. */
function referencesIn(body: Schema | null): string[] {
  const { properties = {} } = resolved(body ?? {});
  return Object.keys(properties).filter((name) => REFERENCE.test(name) && !/external|resource/.test(name));
}

/** An unassigned id of the same kind and instant. */
function unknownLike(id: string): string {
  const turned = LETTERS[(LETTERS.indexOf(id.at(-1) ?? '') + 7) % 32] ?? '';
  return id.slice(0, -1) + turned;
}

/** Paths with the id in each single place, with own ids in the others, and in all places. */
function pathsWith(path: string, id: string): string[] {
  const places = path.match(/\{[^}]+\}/g) ?? [];
  const everywhere = path.replace(/\{[^}]+\}/g, id);
  if (places.length === 1) return [everywhere];
  return [everywhere, ...places.flatMap((place) => ownIds.map((own) => path.replace(place, id).replace(/\{[^}]+\}/g, own)))];
}

/** The path to a resource of our own. */
function ownPath({ path, parts }: Operation): string {
  const ids = parts.map((pattern) => ownIds.find((id) => new RegExp(pattern).test(id)) ?? '');
  return path.replace(/\{[^}]+\}/g, () => ids.shift() ?? '');
}

/** Status and body, with the request id masked. */
function seen({ status, text }: Answer): string {
  return `${status} ${text.replace(/req_[0-9A-Z]{26}/g, 'req')}`;
}

function idsIn(text: string): string[] {
  const prefixes = KINDS.filter((kind) => kind !== 'request' && kind !== 'apiKey').map((kind) => ID_PREFIXES[kind]);
  return text.match(new RegExp(`\\b(?:${prefixes.join('|')})_[0-9A-HJKMNP-TV-Z]{26}`, 'g')) ?? [];
}

beforeAll(async () => {
  service = await App.start();
  document = (await service.as(null).get('/openapi.json')).body;
  operations = readOperations().filter(({ path }) => path.startsWith('/v1/'));
  [projectA, projectB] = [await service.otherProject('a'), await service.otherProject('b')];
  const answers = await fill(projectB, 'b');
  foreignIds = [...new Set(answers.flatMap(({ text }) => idsIn(text)))];
  ownIds = [...new Set((await fill(projectA, 'a')).flatMap(({ text }) => idsIn(text)))];
  foreignCursors = answers.flatMap(({ body }) => (body?.next_cursor ? [body.next_cursor as string] : []));
});

afterAll(() => service.dispose());

describe("another project's things", () => {
  it('exist, so that this test means something', () => {
    const kinds = new Set(foreignIds.map((id) => id.split('_')[0]));
    expect([...kinds]).toEqual(expect.arrayContaining(['conv', 'msg', 'cust', 'sess', 'apt', 'we', 'evt', 'whd', 'task']));
    expect(operations.length).toBeGreaterThan(10);
  });

  it('in a path are as unknown as what does not exist', async () => {
    for (const { method, path, body } of operations.filter(({ path }) => path.includes('{'))) {
      const sent = body ? sample(body) : method === 'GET' || method === 'DELETE' ? undefined : {};
      for (const id of foreignIds) {
        const unknown = pathsWith(path, unknownLike(id));
        for (const [index, url] of pathsWith(path, id).entries()) {
          const foreign = await projectA.send(method, url, sent);
          expect([method, url, foreign.body?.error?.code]).toEqual([method, url, 'resource_missing']);
          expect([method, url, seen(foreign)]).toEqual([
            method,
            url,
            seen(await projectA.send(method, unknown[index] ?? '', sent)),
          ]);
        }
      }
    }
  });

  it('in a body are as unknown as what does not exist', async () => {
    const withReferences = operations.filter(({ body }) => referencesIn(body).length > 0);
    const tried = new Set<string>();
    for (const operation of withReferences) {
      const { method, body } = operation;
      const path = ownPath(operation);
      for (const name of referencesIn(body)) {
        const kind = name.split('_').at(-2) ?? '';
        const prefix = PREFIX_OF[kind] ?? kind;
        for (const id of foreignIds.filter((one) => prefix.startsWith(one.split('_')[0] ?? '-'))) {
          const withId = (value: string) => projectA.send(method, path, { ...(sample(body ?? {}) as object), [name]: value });
          const [foreign, unknown] = [await withId(id), await withId(unknownLike(id))];
          expect([method, path, name, foreign.status, foreign.body?.error?.param]).toEqual([method, path, name, 404, name]);
          expect(seen(foreign)).toBe(seen(unknown));
          tried.add(name);
        }
      }
    }
    expect([...tried].toSorted()).toEqual([...new Set(withReferences.flatMap(({ body }) => referencesIn(body)))].toSorted());
  });

  it('as a cursor show own rows only', async () => {
    for (const operation of operations.filter(({ query }) => query.includes('starting_after'))) {
      const path = ownPath(operation);
      for (const name of ['starting_after', 'ending_before']) {
        for (const cursor of [...foreignIds, ...foreignCursors]) {
          const answer = await projectA.get(`${path}?${name}=${cursor}`);
          expect([path, cursor, [200, 400].includes(answer.status)]).toEqual([path, cursor, true]);
          expect(idsIn(answer.text).filter((id) => foreignIds.includes(id))).toEqual([]);
          if (cursor.startsWith('cur_')) continue;
          const unknown = await projectA.get(`${path}?${name}=${unknownLike(cursor)}`);
          expect([path, cursor, seen(answer)]).toEqual([path, cursor, seen(unknown)]);
        }
      }
    }
  });

  it('are in none of the own lists, however they are filtered', async () => {
    for (const { path, query } of operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
      for (const name of query.filter((one) => REFERENCE.test(one))) {
        for (const value of [...foreignIds, 'thread-b']) {
          const { text } = await projectA.get(`${path}?${name}=${value}`);
          expect(idsIn(text).filter((id) => foreignIds.includes(id))).toEqual([]);
        }
      }
      const { text } = await projectA.get(path);
      expect(idsIn(text).filter((id) => foreignIds.includes(id))).toEqual([]);
    }
  });

  it('share no idempotency key', async () => {
    const body = { external_id: 'same-key', metadata: {} };
    const headers = { 'idempotency-key': 'shared' };
    const ofA = await projectA.post('/v1/conversations', body, headers);
    const ofB = await projectB.post('/v1/conversations', body, headers);
    expect([ofA.status, ofB.status]).toEqual([201, 201]);
    expect(ofB.headers.get('idempotent-replayed')).toBeNull();
    expect(ofB.body.id).not.toBe(ofA.body.id);
  });
});
