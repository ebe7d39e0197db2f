import { EventStoreDBClient, START, type ResolvedEvent } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { historyOf, type KeyedRequest } from '../data-directories/history.js';
import { restoredServers } from '../data-directories/restored-servers.js';
import { App, type Part } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book } from '../e2e/harness/ledger.js';
import type { OwnEngines } from './own-engines.js';

const HOUR = 3_600_000;
const CLOCK = pathToFileURL(join(__dirname, '../e2e/harness/clock-ahead.mjs')).href;
const { version: VERSION } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
const RELEASE = '950d83f6';
const HISTORY = historyOf(`${RELEASE}/cluster`);
/** What the deliveries that wait lead to. */
const { hostname: RECEIVER, port: RECEIVER_PORT } = new URL(endpointUrls()[0]!);

interface Posted {
  readonly path: string;
  readonly body: string;
}

let engines: OwnEngines;
let installation: Installation;
let server: Server;
let apps: Partial<Record<Part, App>>;
let posted: Posted[];
/** Whether endpoints answer with the status that their paths name, as when the release ran. */
let isAsBefore: boolean;

function endpointUrls(): readonly string[] {
  const { body } = HISTORY.reads.find(({ path }) => path === '/v1/webhook_endpoints')!;
  return (JSON.parse(body) as { data: readonly { url: string }[] }).data.map(({ url }) => url);
}

/** So long after the release ended. */
const later = (ms: number) => ({ CLOCK_AHEAD_MS: String(HISTORY.madeAt + ms - Date.now()) });

async function start(part: Part, ms: number): Promise<App> {
  const hooks = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', RETRY_SCHEDULE: '0s,5h' };
  const variables = {
    ...hooks,
    CONVERSATION_IDLE_MS: String(2 * HOUR),
    ENGINE_PREFIX: '',
    BOOTSTRAP_API_KEY: '',
    ADMIN_PASSWORD: '',
  };
  const app = await App.start({ ...variables, NODE_OPTIONS: `--import=${CLOCK}`, ...later(ms) }, installation, part);
  apps[part] = app;
  return app;
}

/** Every event of the service but those of reactors, which note how far they are. */
async function events(): Promise<readonly ResolvedEvent[]> {
  const client = EventStoreDBClient.connectionString(engines.servers.EVENTSTORE_URL);
  const found: ResolvedEvent[] = [];
  for await (const resolved of client.readAll({ fromPosition: START })) {
    if (!/^(\$|reactor-|log-identity)/.test(resolved.event?.streamId ?? '$')) found.push(resolved as ResolvedEvent);
  }
  await client.dispose();
  return found;
}

async function receiving(): Promise<Server> {
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      posted.push({ path, body: Buffer.concat(chunks).toString() });
      response.writeHead(isAsBefore ? Number(path.split('/').at(-1)) : 200).end();
    });
  });
  receiver.listen(Number(RECEIVER_PORT), RECEIVER);
  await once(receiver, 'listening');
  return receiver;
}

async function restored(): Promise<void> {
  [apps, posted, isAsBefore] = [{}, [], true];
  [server, engines] = await Promise.all([receiving(), restoredServers(RELEASE)]);
  installation = new Installation(engines.servers);
}

async function ended(): Promise<void> {
  await Promise.all(Object.values(apps).map((app) => app.kill()));
  await installation.dispose();
  await engines.dispose();
  server.closeAllConnections();
  server.close();
}

const keyed = HISTORY.requests.map((request): [string, KeyedRequest] => [request.key, request]);

/** The tests of each follow each other: what one has started, the next goes on with. */
describe('the deliveries that a cluster of an earlier release has left in its topics', () => {
  beforeAll(restored);
  afterAll(ended);

  it('are sent where they wait for their first attempt, by the delivery process alone, which sweeps nothing', async () => {
    await start('delivery', HOUR);
    await eventually(() => expect(posted.length).toBe(3));
    expect(posted.map(({ path }) => path).toSorted()).toEqual(['/hooks/200', '/hooks/400', '/hooks/503']);
    expect(new Set(posted.map(({ body }) => body)).size).toBe(1);
    expect(HISTORY.posted.map(({ body }) => body)).not.toContain(posted[0]!.body);
  });

  it('are sent again where they wait for their retry, in time, and so are those that have failed since', async () => {
    const failed = [...HISTORY.posted, ...posted].filter(({ path }) => path === '/hooks/503').map(({ body }) => body);
    [posted, isAsBefore] = [[], false];
    await apps.delivery!.restart(later(7 * HOUR));
    await eventually(() => expect(posted.length).toBe(failed.length));
    expect(posted.map(({ body }) => body).toSorted()).toEqual(failed.toSorted());
  });
});

describe('what a cluster of an earlier release has stored', () => {
  beforeAll(restored);
  afterAll(ended);
  const get = (path: string, token = HISTORY.apiKey) => apps.gateway!.as(token).get(path);

  it('is read as that release showed it, beside members that are new, though no event has an envelope', async () => {
    expect((await events()).filter(({ event }) => event?.metadata !== undefined)).toEqual([]);
    await Promise.all([start('projections', HOUR), start('gateway', HOUR)]);
    for (const { path, body } of HISTORY.reads) {
      const { status, text } = await eventually(async () => {
        const answer = await get(path);
        expect(answer.status).not.toBe(503);
        return answer;
      });
      expect([path, status, JSON.parse(text)]).toMatchObject([path, 200, JSON.parse(body)]);
    }
  });

  it('lets in who has a session of an administrator', async () => {
    const { status, body } = await get('/admin/v1/projects', HISTORY.adminToken!);
    expect([status, body.data?.length]).toEqual([200, 2]);
  });

  it.each(keyed)('replays the answer under the key %s, byte for byte', async (key, { token, method, path, body, answer }) => {
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
    const again = await apps.gateway!.as(token).raw(method, path, body, headers);
    expect([again.status, again.text]).toEqual([answer.status, answer.body]);
    expect(again.headers.get('original-request')).toBe(answer.headers['request-id']);
    for (const name of ['content-type', 'etag']) expect(again.headers.get(name)).toBe(answer.headers[name] ?? null);
  });

  it('is gone on with: lists follow, and what is new is delivered and bears envelopes', async () => {
    const before = (await events()).length;
    await start('delivery', HOUR);
    const client = apps.gateway!.as(HISTORY.apiKey);
    const said = await client.say('ann', 'When is my appointment?');
    const booked = await book(client, { starts_at: '2037-03-02T09:00:00Z' });
    expect([said.status, booked.status]).toEqual([200, 201]);
    expect((await get('/v1/appointments')).body.data[0].id).toBe(booked.body.id);
    expect((await get(`/v1/conversations/${said.body.conversation_id}/messages`)).text).toContain(said.body.reply.id);
    await eventually(() => expect(posted.filter(({ body }) => body.includes(booked.body.id as string)).length).toBe(3));
    const added = (await events()).slice(before).map(({ event }) => event!);
    expect(added.map(({ type }) => type)).toEqual(expect.arrayContaining(['MessagePosted', 'AppointmentBooked', 'EventFrozen']));
    const correlationOf = (metadata: unknown) => (metadata as Record<string, unknown> | undefined)?.['$correlationId'];
    expect(added.filter(({ metadata }) => !correlationOf(metadata))).toEqual([]);
  });

  it('gets a record of which release each process runs', async () => {
    const client = await new MongoClient(engines.servers.MONGODB_URL).connect();
    const records = client.db().collection<{ _id: string; value: string }>('records');
    await eventually(async () => {
      const instances = JSON.parse((await records.findOne({ _id: 'instances' }))!.value) as { role: string; version: string }[];
      const told = instances.map(({ role, version }) => `${role} ${version}`).toSorted();
      expect(told).toEqual(['delivery', 'gateway', 'projections'].map((role) => `${role} ${VERSION}`));
    });
    await client.close();
  });
});
