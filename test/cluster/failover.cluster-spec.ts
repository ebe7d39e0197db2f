import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';
import { book } from '../e2e/harness/ledger.js';
import { echo } from '../e2e/harness/recording-model.js';
import { DoubledApps, holdsWithin } from './doubled-apps.js';
import { failoverContract } from './failover.contract.js';

let apps: DoubledApps;

beforeAll(async () => void (apps = await DoubledApps.start()));
afterEach(() => void (apps.model.answering = echo));
afterAll(() => apps.dispose());

const listsFollow = () => apps.listsFollow();
const everyEndpointIsReached = () => apps.everyEndpointIsReached();

const ready = async (app: App) => {
  const { status, body } = await app.as(null).get('/ready');
  return { status, failing: body.failing, degraded: body.degraded };
};

describe('two of each app', () => {
  it('serve: a message is answered by either gateway, one turn at a time, and is in both lists', async () => {
    let [turns, most] = [0, 0];
    apps.model.answering = async (asked) => {
      most = Math.max(most, ++turns);
      await pause(100);
      turns -= 1;
      return echo(asked);
    };
    const posts = Array.from({ length: 6 }, (_, index) => apps.gateways[index % 2 ? 1 : 0].api.say('shared', `message ${index}`));
    const answers = await Promise.all(posts);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const [{ conversation_id: id }] = answers.map(({ body }) => body);
    const { body } = await apps.gateways[1].api.get(`/v1/conversations/${id}/messages?limit=20&order=asc`);
    const roles = body.data.map(({ role }: { role: string }) => role);
    expect(roles.filter((role: string) => role === 'assistant')).toHaveLength(6);
    expect(most).toBe(1);
    await listsFollow();
    await everyEndpointIsReached();
  });

  it('share a revocation within five seconds', async () => {
    const other = await apps.gateways[0].otherProject('revoked');
    const onSecond = apps.gateways[1].as(other.token);
    expect((await onSecond.get('/v1/conversations')).status).toBe(200);
    const admin = await apps.gateways[0].admin();
    const { body: projects } = await admin.get('/admin/v1/projects');
    const project = projects.data.find(({ name }: { name: string }) => name === 'revoked');
    const { body: keys } = await admin.get(`/admin/v1/projects/${project.id}/api_keys`);
    const [key] = keys.data;
    expect((await admin.delete(`/admin/v1/projects/${project.id}/api_keys/${key.id}`)).status).toBeLessThan(300);
    const from = performance.now();
    await holdsWithin(5_000, from, async () => expect((await onSecond.get('/v1/conversations')).status).toBe(401));
  });

  it('share a change of an endpoint within five seconds: what is disabled gets no webhook, and does again once it is enabled', async () => {
    const [hook] = apps.hooks;
    const [one, other] = apps.gateways;
    const { body } = await one.api.get('/v1/webhook_endpoints?limit=100');
    const { id } = body.data.find(({ url }: { url: string }) => url === hook?.url);
    const isTold = async () => {
      const booked = await book(other.api);
      await apps.isToldToAll(booked.body.id, apps.hooks.slice(1));
      await pause(200);
      return hook?.requests.some((request) => request.body.includes(booked.body.id));
    };
    for (const status of ['disabled', 'enabled']) {
      const from = performance.now();
      expect((await one.api.patch(`/v1/webhook_endpoints/${id}`, { status })).status).toBe(200);
      await holdsWithin(5_000, from, async () => {
        expect((await other.api.get(`/v1/webhook_endpoints/${id}`)).body.status).toBe(status);
        expect(await isTold()).toBe(status === 'enabled');
      });
    }
  });

  it('tell, each of both, how many webhooks have not been answered', async () => {
    const lag = async (app: App) =>
      /^webhook_topic_lag_messages\{topic="webhook-deliveries"\} (\d+)$/m.exec((await app.as(null).get('/metrics')).text)?.[1];
    const tells = (count: number) =>
      eventually(async () => expect(await Promise.all(apps.deliveries.map(lag))).toEqual([`${count}`, `${count}`]));
    for (const hook of apps.hooks) hook.answers = [() => undefined, 200];
    await everyEndpointIsReached();
    await tells(apps.hooks.length);
    await tells(0);
  });

  // Last, since attempts that a killed process left are made again later.
  failoverContract(() => apps, 1);
});

describe('while EventStoreDB is away', () => {
  it('writes are refused, and all is back within 2 s of it', async () => {
    await apps.engines.eventStoreDb.kill();
    await eventually(async () => expect(await ready(apps.gateways[0])).toMatchObject({ status: 503, failing: ['EventStoreDB'] }));
    const refused = await apps.gateways[0].api.say('away', 'Hello');
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    await apps.engines.eventStoreDb.restart();
    await holdsWithin(2_000, performance.now(), listsFollow);
    await everyEndpointIsReached();
  });
});

describe('while MongoDB is away', () => {
  /** What of the service can be read by its id, and one event. */
  async function readable(): Promise<{ readonly paths: readonly string[]; readonly event: string }> {
    const { api } = apps.gateways[0];
    const said = await api.say('read by its id', 'Hello', { customer: { phone: '+4915112345678' } });
    const session = await api.post('/v1/sessions', { direction: 'inbound' });
    const appointment = await book(api);
    const endpoints = await api.get('/v1/webhook_endpoints?limit=1');
    const event = await eventually(async () => {
      const { body } = await api.get(`/v1/events?object_id=${appointment.body.id}`);
      const deliveries = await api.get(`/v1/events/${body.data[0].id}/deliveries?limit=100`);
      expect(deliveries.body.data).toHaveLength(apps.hooks.length);
      return body.data[0].id as string;
    });
    const conversation = `/v1/conversations/${said.body.conversation_id}`;
    const { body: opened } = await api.get(conversation);
    const paths = [
      conversation,
      `${conversation}/messages`,
      `/v1/customers/${opened.customer_id}`,
      `/v1/appointments/${appointment.body.id}`,
      `/v1/sessions/${session.body.id}`,
      `/v1/webhook_endpoints/${endpoints.body.data[0].id}`,
      `/v1/events/${event}/deliveries`,
    ];
    return { paths, event };
  }

  it('keyless writes and reads by id go on, keyed writes are 503 at once and lists too, and all is back within 3 s of it', async () => {
    const [gateway, other] = apps.gateways;
    const { paths, event } = await readable();
    const statusOf = async (path: string) => `${path} ${(await other.api.get(path)).status}`;
    const read = () => Promise.all(paths.map(statusOf));
    expect(await read()).toEqual(paths.map((path) => `${path} 200`));
    const admin = await gateway.admin();
    await apps.engines.mongoDb.kill();
    await eventually(async () => expect(await ready(gateway)).toMatchObject({ status: 200, degraded: ['MongoDB'] }));
    await eventually(async () => expect(await ready(apps.projections[0])).toMatchObject({ status: 503, failing: ['MongoDB'] }));
    const posted = await gateway.api.say('without MongoDB', 'Hello');
    expect([posted.status, posted.body.reply?.content]).toEqual([200, 'Echo: Hello']);
    expect(await read()).toEqual(paths.map((path) => `${path} 200`));
    const from = performance.now();
    const keyed = await gateway.api.say('keyed', 'Hello', {}, { 'idempotency-key': 'without-records' });
    expect([keyed.status, keyed.headers.has('retry-after')]).toEqual([503, true]);
    expect(performance.now() - from).toBeLessThan(1_000);
    const lists = ['conversations', 'customers', 'appointments', 'sessions', 'events', `events/${event}`].map(
      (list) => `/v1/${list}`,
    );
    const refused = await Promise.all([...lists.map((list) => gateway.api.get(list)), admin.get('/admin/v1/projects')]);
    expect(refused.map(({ status, headers }) => [status, headers.has('retry-after')])).toEqual(refused.map(() => [503, true]));
    await apps.engines.mongoDb.restart();
    await holdsWithin(3_000, performance.now(), listsFollow);
  });
});

describe('while Kafka is away', () => {
  it('appointments go on, and their webhooks leave within 15 s of its return', async () => {
    await apps.engines.kafka.kill();
    await eventually(async () => expect(await ready(apps.gateways[0])).toMatchObject({ status: 200, degraded: ['Kafka'] }));
    const before = apps.hooks.map(({ requests }) => requests.length);
    expect((await book(apps.gateways[0].api)).status).toBe(201);
    await apps.engines.kafka.restart();
    await holdsWithin(15_000, performance.now(), async () => {
      const silent = apps.hooks.filter(({ requests }, index) => requests.length === before[index]);
      expect(silent.length).toBe(0);
      return Promise.resolve();
    });
    await eventually(async () => expect((await ready(apps.deliveries[0])).status).toBe(200));
  });
});
