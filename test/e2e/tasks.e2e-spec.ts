import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, subscribe } from './harness/receiver.js';
import { taskIn } from './harness/tasks.js';

let app: App;
let backend: Backend;
beforeAll(async () => void ([app, backend] = await Promise.all([App.start(LOCAL_HOOKS), Backend.start()])));
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const UNKNOWN = 'task_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const SLOW = { per_second: 1 };
const DRY = { dry_run: true };

const ask = (client: Client, body: object) => client.post('/v1/deliveries/retry', body);

/** A project whose endpoint has refused so many events. */
async function withFailed(count: number) {
  const hook = backend.hook(404);
  const { client, id } = await subscribe(app, hook.url);
  for (let number = 0; number < count; number++) {
    await book(client);
    await deliveryIn('failed', client);
  }
  return { client, id, hook };
}

describe('a task', () => {
  it('has this shape, and the defaults of what was not sent', async () => {
    const { client, id } = await withFailed(2);
    const { status, body } = await ask(client, { endpoint_id: id, event_type: 'appointment.*' });
    expect(status).toBe(202);
    expect(body).toEqual({
      id: expect.stringMatching(/^task_/),
      object: 'task',
      kind: 'deliveries.retry',
      status: 'pending',
      dry_run: false,
      project_id: expect.stringMatching(/^prj_/),
      parameters: {
        endpoint_id: id,
        event_type: 'appointment.*',
        status: ['failed'],
        mode: 'all',
        skip_recovered: true,
        per_second: 50,
        dry_run: false,
      },
      webhook_endpoint_id: id,
      progress: { examined: 0, total: null },
      result: null,
      error: null,
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
    });
    const done = await taskIn('completed', client, body.id);
    const skipped = { recovered: 0, superseded: 0, endpoint_unavailable: 0, event_expired: 0, limit_exceeded: 0 };
    expect(done).toMatchObject({ progress: { examined: 2, total: 2 }, result: { matched: 2, created: 2, skipped } });
    expect(Date.parse(done.completed_at)).toBeGreaterThanOrEqual(Date.parse(done.started_at));
    expect((await client.get('/v1/tasks')).body.data).toEqual([done]);
  });

  it('is unknown to others, and as none of a project to the admin', async () => {
    const { client, id } = await withFailed(1);
    const { body } = await ask(client, { endpoint_id: id, ...DRY });
    const [other, admin] = [await app.otherProject(), await app.admin()];
    for (const taskId of [body.id, UNKNOWN, 'nobody']) {
      expect(errorOf(await other.get(`/v1/tasks/${taskId}`))[2]).toBe('resource_missing');
      expect(errorOf(await other.post(`/v1/tasks/${taskId}/cancel`))[2]).toBe('resource_missing');
      expect(errorOf(await admin.get(`/admin/v1/tasks/${taskId}`))[2]).toBe('resource_missing');
      expect(errorOf(await admin.post(`/admin/v1/tasks/${taskId}/cancel`))[2]).toBe('resource_missing');
    }
    expect((await admin.get('/admin/v1/tasks')).body).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  });

  it('is stopped by a cancellation, which changes nothing once it is over', async () => {
    const { client, id, hook } = await withFailed(8);
    const { body } = await ask(client, { endpoint_id: id, ...SLOW });
    await taskIn('running', client, body.id);
    const cancelled = (await client.post(`/v1/tasks/${body.id}/cancel`)).body;
    expect(cancelled).toMatchObject({ status: 'cancelled', completed_at: expect.any(String) });
    expect(await client.post(`/v1/tasks/${body.id}/cancel`)).toMatchObject({ status: 200, body: cancelled });
    expect((await client.get(`/v1/tasks/${body.id}`)).body).toEqual(cancelled);
    const next = (await ask(client, { endpoint_id: id, status: ['failed'] })).body;
    const done = await taskIn('completed', client, next.id);
    expect(done.result.created).toBeLessThanOrEqual(8);
    await hook.received(16);
  });

  it('is listed by its kind, its status and its endpoint', async () => {
    const { client, id } = await withFailed(1);
    const [one, whole] = [
      await ask(client, { endpoint_id: id, ...DRY }),
      await ask(client, { created_at: { gte: '2020-01-01T00:00:00Z' }, ...DRY }),
    ];
    for (const { body } of [one, whole]) await taskIn('completed', client, body.id);
    const ids = async (query: string) => (await client.get(`/v1/tasks?${query}`)).body.data.map((task: any) => task.id);
    expect(await ids('')).toEqual([whole.body.id, one.body.id]);
    expect(await ids(`webhook_endpoint_id=${id}`)).toEqual([one.body.id]);
    expect(await ids('status=completed&kind=deliveries.retry')).toEqual([whole.body.id, one.body.id]);
    expect(await ids('status=running')).toEqual([]);
    expect(await ids('kind=endpoint.recover')).toEqual([]);
    expect(errorOf(await client.get('/v1/tasks?status=done'))[2]).toBe('parameter_invalid');
  });

  it('waits for those before it of its endpoint, and of the whole project; a dry run waits for none', async () => {
    const { client, id } = await withFailed(8);
    const first = (await ask(client, { endpoint_id: id, ...SLOW })).body;
    const second = (await ask(client, { created_at: { gte: '2020-01-01T00:00:00Z' } })).body;
    const dry = (await ask(client, { endpoint_id: id, ...DRY })).body;
    expect(await taskIn('completed', client, dry.id)).toMatchObject({ result: { created: 0 } });
    expect((await client.get(`/v1/tasks/${second.id}`)).body.status).toBe('pending');
    const [one, other] = [await taskIn('completed', client, first.id), await taskIn('completed', client, second.id)];
    expect(Date.parse(other.started_at)).toBeGreaterThanOrEqual(Date.parse(one.completed_at));
  });

  it('is refused beside twenty open ones, with the time to come again', async () => {
    const { client, id } = await withFailed(10);
    const open: any[] = [];
    for (let number = 0; number < 20; number++) open.push((await ask(client, { endpoint_id: id, ...SLOW })).body);
    const refused = await ask(client, { endpoint_id: id, ...DRY });
    expect(errorOf(refused).slice(0, 3)).toEqual([409, 'invalid_request_error', 'task_limit_reached']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('service-should-retry')).toBe('false');
    await client.post(`/v1/tasks/${open.at(-1).id}/cancel`);
    expect((await ask(client, { endpoint_id: id, ...DRY })).status).toBe(202);
  });

  it('is asked for once under an idempotency key', async () => {
    const { client, id } = await withFailed(1);
    const keyed = () => client.post('/v1/deliveries/retry', { endpoint_id: id, ...DRY }, { 'idempotency-key': 'again' });
    expect((await keyed()).body.id).toBe((await keyed()).body.id);
    expect((await client.get('/v1/tasks')).body.data).toHaveLength(1);
  });

  it('goes on by itself after its process was killed, and does each of its effects once', async () => {
    const { client, id, hook } = await withFailed(8);
    const { body } = await ask(client, { endpoint_id: id, per_second: 1 });
    for (let kills = 0; kills < 2; kills++) {
      await taskIn('running', app.as(client.token), body.id);
      await app.kill();
      await app.restart();
    }
    const done = await taskIn('completed', app.as(client.token), body.id);
    expect(done.result).toMatchObject({ matched: 8, created: 8 });
    const events = (await app.as(client.token).get('/v1/events')).body.data;
    for (const event of events) {
      const { data } = (await app.as(client.token).get(`/v1/events/${event.id}/deliveries`)).body;
      expect(data.map(({ trigger }: any) => trigger)).toEqual(['bulk_replay', 'event']);
    }
    await hook.received(16);
  });
});
