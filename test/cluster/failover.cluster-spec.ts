import { App } from '../e2e/harness/app.js';
import { Installation } from '../e2e/harness/installation.js';
import { eventually } from '../e2e/harness/eventually.js';
import { book } from '../e2e/harness/ledger.js';
import { RecordingModel, echo } from '../e2e/harness/recording-model.js';
import { Backend, LOCAL_HOOKS, type Hook } from '../e2e/harness/receiver.js';
import { OwnEngines } from './own-engines.js';

/** As many as partitions, so that some belong to each delivery process. */
const ENDPOINTS = 24;

let engines: OwnEngines;
let installation: Installation;
let model: RecordingModel;
let backend: Backend;
let gateways: readonly [App, App];
let projections: readonly [App, App];
let deliveries: readonly [App, App];
let hooks: readonly Hook[];
let count = 0;

beforeAll(async () => {
  [engines, model, backend] = await Promise.all([OwnEngines.start(), RecordingModel.start(), Backend.start()]);
  installation = new Installation(engines.servers);
  const variables = { ...LOCAL_HOOKS, ...model.variables, WEBHOOK_TIMEOUT_MS: '8000' };
  const two = (part: 'gateway' | 'projections' | 'delivery') =>
    Promise.all([App.start(variables, installation, part), App.start(variables, installation, part)]);
  [gateways, projections, deliveries] = await Promise.all([two('gateway'), two('projections'), two('delivery')]);
  hooks = Array.from({ length: ENDPOINTS }, () => backend.hook(200));
  for (const { url } of hooks) {
    const { status, text } = await gateways[0].api.post('/v1/webhook_endpoints', { url });
    if (status !== 201) throw new Error(`an endpoint was refused: ${text}`);
  }
});

afterEach(() => void (model.answering = echo));

afterAll(async () => {
  await Promise.all([...gateways, ...projections, ...deliveries].map((app) => app.kill()));
  await installation.dispose();
  await Promise.all([engines.dispose(), model.stop(), backend.close()]);
});

/** Tries until the expectation holds, which it must within the time since `from`. */
async function holdsWithin(ms: number, from: number, expectation: () => Promise<void>): Promise<void> {
  await eventually(expectation);
  expect(performance.now() - from).toBeLessThanOrEqual(ms);
}

/** A conversation made now is in the list. */
async function listsFollow(): Promise<void> {
  const made = await gateways[1].api.say(`thread-${++count}`, 'Hello');
  expect(made.status).toBe(200);
  const { body } = await gateways[1].api.get('/v1/conversations?limit=5');
  expect(body.data?.map(({ id }: { id: string }) => id)).toContain(made.body.conversation_id);
}

/** An appointment booked now reaches every endpoint, whichever partition its webhook is in. */
async function everyEndpointIsReached(): Promise<void> {
  const before = hooks.map(({ requests }) => requests.length);
  expect((await book(gateways[1].api)).status).toBe(201);
  await eventually(() => {
    const silent = hooks.filter(({ requests }, index) => requests.length === before[index]);
    expect(silent.length).toBe(0);
  });
}

const ready = async (app: App) => {
  const { status, body } = await app.as(null).get('/ready');
  return { status, failing: body.failing, degraded: body.degraded };
};

describe('two of each app', () => {
  it('serve: a message is answered by either gateway, one turn at a time, and is in both lists', async () => {
    const posts = Array.from({ length: 6 }, (_, index) => gateways[index % 2 ? 1 : 0].api.say('shared', `message ${index}`));
    const answers = await Promise.all(posts);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const [{ conversation_id: id }] = answers.map(({ body }) => body);
    const { body } = await gateways[1].api.get(`/v1/conversations/${id}/messages?limit=20&order=asc`);
    const roles = body.data.map(({ role }: { role: string }) => role);
    expect(roles.filter((role: string) => role === 'assistant')).toHaveLength(6);
    await listsFollow();
    await everyEndpointIsReached();
  });

  it('share a revocation within five seconds', async () => {
    const other = await gateways[0].otherProject('revoked');
    const onSecond = gateways[1].as(other.token);
    expect((await onSecond.get('/v1/conversations')).status).toBe(200);
    const admin = await gateways[0].admin();
    const { body: projects } = await admin.get('/admin/v1/projects');
    const project = projects.data.find(({ name }: { name: string }) => name === 'revoked');
    const { body: keys } = await admin.get(`/admin/v1/projects/${project.id}/api_keys`);
    const [key] = keys.data;
    expect((await admin.delete(`/admin/v1/projects/${project.id}/api_keys/${key.id}`)).status).toBeLessThan(300);
    const from = performance.now();
    await holdsWithin(5_000, from, async () => expect((await onSecond.get('/v1/conversations')).status).toBe(401));
  });

  it('answer a retry with its key within 12 s of the kill of a gateway: one message, one reply', async () => {
    const key = { 'idempotency-key': 'killed-in-its-turn' };
    let isAsked = false;
    model.answering = () => {
      isAsked = true;
      return new Promise(() => undefined);
    };
    const lost = gateways[0].api.say('killed', 'Hello', {}, key).catch(() => null);
    await eventually(() => expect(isAsked).toBe(true));
    model.answering = echo;
    const from = performance.now();
    await gateways[0].kill();
    await lost;
    let conversation = '';
    await holdsWithin(12_000, from, async () => {
      const again = await gateways[1].api.say('killed', 'Hello', {}, key);
      expect([again.status, again.body.reply?.content]).toEqual([200, 'Echo: Hello']);
      conversation = again.body.conversation_id;
    });
    const { body } = await gateways[1].api.get(`/v1/conversations/${conversation}/messages`);
    expect(body.data).toHaveLength(2);
    await gateways[0].restart();
  });

  it('go on with lists within 2 s of the end of the projections that work, and 8 s of their kill', async () => {
    const [one, other] = projections;
    await one.stop();
    await eventually(listsFollow);
    await one.restart();
    let from = performance.now();
    await other.stop();
    await holdsWithin(2_000, from, listsFollow);
    await other.restart();
    from = performance.now();
    await one.kill();
    await holdsWithin(8_000, from, listsFollow);
    await one.restart();
  });

  it('reach every endpoint again within 2 s of the end of a delivery process, busy as it is, and 12 s of its kill', async () => {
    const [one, other] = deliveries;
    await everyEndpointIsReached();
    // Of the attempts that get no answer, each process has some.
    for (const hook of hooks) hook.answers = [() => undefined, 200];
    await everyEndpointIsReached();
    let from = performance.now();
    const stopping = one.stop();
    await holdsWithin(2_000, from, everyEndpointIsReached);
    await stopping;
    await one.restart();
    await everyEndpointIsReached();
    from = performance.now();
    await other.kill();
    await holdsWithin(12_000, from, everyEndpointIsReached);
    await other.restart();
  });
});

describe('while EventStoreDB is away', () => {
  it('writes are refused, and all is back within 2 s of it', async () => {
    await engines.eventStoreDb.kill();
    await eventually(async () => expect(await ready(gateways[0])).toMatchObject({ status: 503, failing: ['EventStoreDB'] }));
    const refused = await gateways[0].api.say('away', 'Hello');
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    await engines.eventStoreDb.restart();
    await holdsWithin(2_000, performance.now(), listsFollow);
    await everyEndpointIsReached();
  });
});

describe('while MongoDB is away', () => {
  it('keyless writes and reads by id go on, lists and keyed writes are 503 at once, and all is back within 3 s of it', async () => {
    const before = await gateways[0].api.say('read by its id', 'Hello');
    await engines.mongoDb.kill();
    await eventually(async () => expect(await ready(gateways[0])).toMatchObject({ status: 200, degraded: ['MongoDB'] }));
    await eventually(async () => expect(await ready(projections[0])).toMatchObject({ status: 503, failing: ['MongoDB'] }));
    const posted = await gateways[0].api.say('without MongoDB', 'Hello');
    expect([posted.status, posted.body.reply?.content]).toEqual([200, 'Echo: Hello']);
    expect((await gateways[0].api.get(`/v1/conversations/${before.body.conversation_id}`)).status).toBe(200);
    const list = await gateways[0].api.get('/v1/conversations');
    expect([list.status, Number(list.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
    const from = performance.now();
    const keyed = await gateways[0].api.say('keyed', 'Hello', {}, { 'idempotency-key': 'without-records' });
    expect([keyed.status, keyed.headers.has('retry-after')]).toEqual([503, true]);
    expect(performance.now() - from).toBeLessThan(1_000);
    await engines.mongoDb.restart();
    await holdsWithin(3_000, performance.now(), listsFollow);
  });
});

describe('while Kafka is away', () => {
  it('appointments go on, and their webhooks leave within 15 s of its return', async () => {
    await engines.kafka.kill();
    await eventually(async () => expect(await ready(gateways[0])).toMatchObject({ status: 200, degraded: ['Kafka'] }));
    const before = hooks.map(({ requests }) => requests.length);
    expect((await book(gateways[0].api)).status).toBe(201);
    await engines.kafka.restart();
    await holdsWithin(15_000, performance.now(), async () => {
      const silent = hooks.filter(({ requests }, index) => requests.length === before[index]);
      expect(silent.length).toBe(0);
      return Promise.resolve();
    });
    await eventually(async () => expect((await ready(deliveries[0])).status).toBe(200));
  });
});
