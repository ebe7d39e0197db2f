import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, LOCAL_HOOKS } from './harness/receiver.js';
import { RecordingModel, echo } from './harness/recording-model.js';

const UNKNOWN = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const FAILING = () => ({ status: 500, body: '{"error":{"message":"overloaded"}}' });

let app: App;
let model: RecordingModel;
let backend: Backend;
beforeAll(async () => {
  [model, backend] = await Promise.all([RecordingModel.start(), Backend.start()]);
  app = await App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,200ms,1h,1h,2h', ...model.variables });
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await Promise.all([model.stop(), backend.close()]);
});

interface Project {
  readonly id: string;
  readonly client: Client;
}

async function newProject(): Promise<Project> {
  const admin = await app.admin();
  const { body } = await admin.post('/admin/v1/projects', { name: 'counted' });
  const key = await admin.post(`/admin/v1/projects/${body.id}/api_keys`, { name: 'counted' });
  return { id: body.id, client: app.as(key.body.secret) };
}

const asked = async (id: string, path: string) => (await app.admin()).get(`/admin/v1/projects/${id}/${path}`);
const statsOf = async ({ id }: Project, query = '') => (await asked(id, `conversation_stats${query}`)).body;
const backlogOf = async ({ id }: Project) => (await asked(id, 'delivery_backlog')).body;

async function rebuilt(name: string): Promise<void> {
  const admin = await app.admin();
  expect((await admin.post(`/admin/v1/projections/${name}/rebuild`)).status).toBeLessThan(300);
  await eventually(async () => {
    const { body } = await admin.get('/admin/v1/projections');
    expect(body.data.find((each: { name: string }) => each.name === name).rebuild.state).toBe('done');
  });
}

function totalOf(series: readonly Record<string, number>[], member: string): number {
  return series.reduce((sum, point) => sum + point[member]!, 0);
}

describe("the statistics of a project's conversations", () => {
  it('are nothing before anything was said, over the last 24 hours unless a window is named', async () => {
    const { series, ...stats } = await statsOf(await newProject());
    expect(stats).toEqual({
      object: 'conversation_stats',
      window: '24h',
      messages: 0,
      turns: { replied: 0, failed: 0 },
      duration_ms: { p50: null, p95: null, p99: null },
    });
    expect(series).toHaveLength(24);
    const { at, ...point } = series[0];
    expect([new Date(at).getUTCMinutes(), point]).toEqual([0, { messages: 0, replied: 0, failed: 0, p95_ms: null }]);
  });

  it.each([
    ['1h', 60],
    ['24h', 24],
    ['7d', 28],
    ['30d', 30],
  ])('over %s count messages, and turns by how they ended, in %d spans', async (window, spans) => {
    const project = await newProject();
    await project.client.say('thread', 'Hello');
    await project.client.say('thread', 'Hello again');
    model.answering = FAILING;
    expect((await project.client.say('thread', 'Are you there?')).status).toBe(502);
    const { series, ...stats } = await statsOf(project, `?window=${window}`);
    expect(stats).toMatchObject({ window, messages: 3, turns: { replied: 2, failed: 1 } });
    expect(stats.duration_ms.p50).toBeGreaterThan(0);
    expect(stats.duration_ms.p99).toBeGreaterThanOrEqual(stats.duration_ms.p50);
    expect(series).toHaveLength(spans);
    expect(['messages', 'replied', 'failed'].map((member) => totalOf(series, member))).toEqual([3, 2, 1]);
  });

  it('are the same after their read model was made anew, and after a restart', async () => {
    const [project, other] = [await newProject(), await newProject()];
    await project.client.say('thread', 'Hello');
    const stats = await statsOf(project, '?window=30d');
    expect(stats).toMatchObject({ messages: 1, turns: { replied: 1 } });
    expect(await statsOf(other)).toMatchObject({ messages: 0, turns: { replied: 0 } });
    await rebuilt('conversations');
    expect(await statsOf(project, '?window=30d')).toEqual(stats);
    await app.restart();
    expect(await statsOf(project, '?window=30d')).toEqual(stats);
  });

  it.each(['', '2h', '1h,24h'])('are refused over the window "%s"', async (window) => {
    const { id } = await newProject();
    expect(errorOf(await asked(id, `conversation_stats?window=${window}`))).toEqual([
      400,
      'invalid_request_error',
      'parameter_invalid',
      'window',
    ]);
  });
});

describe("the backlog of a project's deliveries", () => {
  const tiers = (...open: readonly number[]) => ({
    object: 'delivery_backlog',
    tiers: [
      { tier: null, wait_ms: 0, open: open[0] },
      { tier: '200ms', wait_ms: 200, open: open[1] },
      { tier: '1h', wait_ms: 3_600_000, open: open[2] },
      { tier: '2h', wait_ms: 7_200_000, open: open[3] },
    ],
  });

  it('has every tier of the schedule, in which what is not finished waits', async () => {
    const project = await newProject();
    const { client } = project;
    expect(await backlogOf(project)).toEqual(tiers(0, 0, 0, 0));
    const { body: paused } = await client.post('/v1/webhook_endpoints', { url: backend.hook(200).url });
    await client.post(`/v1/webhook_endpoints/${paused.id}/pause`);
    await client.post('/v1/webhook_endpoints', { url: backend.hook(500, 503).url });
    await client.post('/v1/webhook_endpoints', { url: backend.hook(200).url });
    await client.post('/v1/webhook_endpoints', { url: backend.hook(404).url });
    await book(client);
    const waiting = await eventually(async () => {
      expect(await backlogOf(project)).toEqual(tiers(1, 0, 1, 0));
      return backlogOf(project);
    });
    await rebuilt('deliveries');
    expect(await backlogOf(project)).toEqual(waiting);
    const { data } = (await client.get('/v1/deliveries?status=retrying')).body;
    await client.post(`/v1/deliveries/${data[0].id}/cancel`);
    await eventually(async () => expect(await backlogOf(project)).toEqual(tiers(1, 0, 0, 0)));
    await client.patch(`/v1/webhook_endpoints/${paused.id}`, { status: 'disabled' });
    await eventually(async () => expect(await backlogOf(project)).toEqual(tiers(0, 0, 0, 0)));
  });

  it('has no tests', async () => {
    const project = await newProject();
    const hook = backend.hook(500);
    const { body } = await project.client.post('/v1/webhook_endpoints', { url: hook.url });
    await project.client.post(`/v1/webhook_endpoints/${body.id}/test`, { type: 'appointment.created' });
    await hook.received(2);
    expect(await backlogOf(project)).toEqual(tiers(0, 0, 0, 0));
  });
});

it.each(['conversation_stats', 'delivery_backlog'])('%s is not of a project that there is not', async (path) => {
  expect(errorOf(await asked(UNKNOWN, path))).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
});
