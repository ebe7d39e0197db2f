import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { Processes } from './harness/processes.js';

const CANNOT_APPLY = `--import=${pathToFileURL(join(__dirname, 'harness/cannot-apply.mjs')).href}`;
const SKIPPED = '/admin/v1/skipped_events';
/** An issue closes a minute after its cause. */
const CLOSED_WITHIN_MS = 100_000;

let processes: Processes;
let app: App;
let admin: Client;
/** The calls that were closed, in order. */
const closed: string[] = [];

beforeAll(async () => {
  processes = await Processes.start({ NODE_OPTIONS: CANNOT_APPLY, CANNOT_APPLY: 'SessionClosed' });
  await connect();
});
afterAll(() => processes.dispose());

async function connect(): Promise<void> {
  app = processes.gateway;
  admin = await app.admin();
}

// Tests look at bodies of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
const listed = async (query = ''): Promise<readonly any[]> => (await admin.get(`${SKIPPED}?order=asc${query}`)).body.data;
const rowOf = async (id: string) => (await admin.get(`/admin/v1/projections/sessions/rows/${id}`)).body;
const historyOf = (id: string) => admin.get(`/admin/v1/projections/sessions/rows/${id}/history`);
const skippedCount = async () => (await admin.get('/admin/v1/projections/sessions')).body.skipped;
const statusInList = async (id: string) =>
  (await app.api.get('/v1/sessions')).body.data.find((session: { id: string }) => session.id === id)?.status;

const missing = (answer: Answer) => errorOf(answer).slice(0, 3);

async function closedCall(): Promise<string> {
  const { id } = (await app.api.post('/v1/sessions', { direction: 'inbound' })).body;
  expect((await app.api.post(`/v1/sessions/${id}/close`, { outcome: 'no_action' })).status).toBe(200);
  closed.push(id);
  return id;
}

/** The task that was asked for, once it is completed. */
async function done(path: string) {
  const { status, body } = await admin.post(path);
  expect([status, body]).toMatchObject([202, { object: 'task', project_id: null }]);
  return eventually(async () => {
    const task = (await admin.get(`/admin/v1/tasks/${body.id}`)).body;
    expect(task.status).toBe('completed');
    return task;
  });
}

const issueIs = (status: string, withinMs?: number) =>
  eventually(async () => {
    const issues = (await admin.get('/admin/v1/issues?kind=event_skipped')).body.data;
    expect(issues).toMatchObject([{ status, project_id: null, subject: { object: 'component', id: 'sessions' } }]);
  }, withinMs);

describe('an event that a projection cannot apply', () => {
  it('is listed with the kind of the error and its place, and nothing of its message', async () => {
    const id = await closedCall();
    const [skipped] = await eventually(async () => {
      const found = await listed();
      expect(found).toHaveLength(1);
      return found;
    });
    expect(skipped).toEqual({
      id: expect.stringMatching(/^skip_[0-9A-Z]{26}$/),
      object: 'skipped_event',
      component: 'sessions',
      position: expect.stringMatching(/^\d{20}$/),
      type: 'SessionClosed',
      stream: `session-${id}`,
      error: 'TypeError',
      frames: expect.arrayContaining([expect.stringMatching(/bundle\/[\w.-]+\.js:\d+:\d+/)]),
      attempts: 1,
      first_at: expect.any(String),
      last_at: skipped.first_at,
    });
    expect(JSON.stringify(skipped)).not.toMatch(/secret|file:|\/home|\/work|node_modules/);
  });

  it('holds up no other, leaves its row stale, and is an issue', async () => {
    const other = (await app.api.post('/v1/sessions', { direction: 'outbound' })).body.id;
    expect(await statusInList(other)).toBe('open');
    expect(await statusInList(closed[0]!)).toBe('open');
    expect([(await rowOf(closed[0]!)).stale, (await rowOf(other)).stale]).toEqual([true, false]);
    expect(await skippedCount()).toBe(1);
    await issueIs('open');
  });

  it('is listed page by page, by component, and for administrators alone', async () => {
    await closedCall();
    await closedCall();
    await eventually(async () => expect(await listed()).toHaveLength(3));
    const ids = (await listed()).map(({ id }) => id);
    expect((await listed()).map(({ stream }) => stream)).toEqual(closed.map((id) => `session-${id}`));
    const first = (await admin.get(`${SKIPPED}?order=asc&limit=2`)).body;
    expect([first.data.map(({ id }: { id: string }) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
    expect((await listed(`&starting_after=${ids[1]}`)).map(({ id }) => id)).toEqual(ids.slice(2));
    expect([await listed('&component=sessions'), await listed('&component=events')]).toMatchObject([{ length: 3 }, []]);
    expect((await app.api.get(SKIPPED)).status).toBe(401);
  });

  it('is the same one for a rebuild that skips it and a retry that fails, which count their attempts', async () => {
    const [before] = await listed();
    await done('/admin/v1/projections/sessions/rebuild');
    expect((await listed())[0]).toMatchObject({ id: before.id, first_at: before.first_at, attempts: 2 });
    const { kind, result } = await done(`${SKIPPED}/${before.id}/retry`);
    expect([kind, result]).toMatchObject(['skipped_events.retry', { matched: 0, created: 0, skipped: { still_fails: 1 } }]);
    const [after] = await listed();
    expect(after).toMatchObject({ id: before.id, attempts: 3 });
    expect(after.last_at > before.last_at).toBe(true);
    expect(await listed()).toHaveLength(3);
  });

  it('stays listed when the process that runs the projections dies', async () => {
    await processes.projections.kill();
    await processes.projections.restart();
    await connect();
    await eventually(async () => expect(await listed()).toHaveLength(3));
  });
});

describe('a program that can apply it', () => {
  beforeAll(async () => {
    await Promise.all(processes.all.map((process) => process.restart({ CANNOT_APPLY: '' })));
    await connect();
  });

  it('applies it by a retry, after which it is listed no more and its row is whole', async () => {
    const [first] = await eventually(async () => {
      const found = await listed();
      expect(found).toHaveLength(3);
      return found;
    });
    const { result } = await done(`${SKIPPED}/${first.id}/retry`);
    expect(result).toMatchObject({ matched: 1, created: 1, skipped: { still_fails: 0 } });
    expect((await listed()).map(({ id }) => id)).not.toContain(first.id);
    expect(await rowOf(closed[0]!)).toMatchObject({ stale: false, row: { status: 'closed', outcome: 'no_action' } });
    expect([await statusInList(closed[0]!), await statusInList(closed[1]!)]).toEqual(['closed', 'open']);
    const { status, body } = await historyOf(closed[0]!);
    expect([status, body.data.at(-1)]).toMatchObject([200, { changes: { status: ['open', 'closed'] } }]);
    expect(await skippedCount()).toBe(2);
    expect(missing(await admin.post(`${SKIPPED}/${first.id}/retry`))).toEqual([404, 'invalid_request_error', 'resource_missing']);
    expect(missing(await admin.post(`${SKIPPED}/nobody/retry`))).toEqual([404, 'invalid_request_error', 'resource_missing']);
    const audited = (await admin.get('/admin/v1/audit_log?limit=100')).body.data;
    expect(audited).toContainEqual(expect.objectContaining({ action: `POST ${SKIPPED}/{id}/retry` }));
  });

  it('applies the others by a rebuild; the issue is open until none is left', async () => {
    await issueIs('open');
    await done('/admin/v1/projections/sessions/rebuild');
    expect(await listed()).toEqual([]);
    expect(await statusInList(closed[2]!)).toBe('closed');
    expect([(await rowOf(closed[1]!)).stale, await skippedCount()]).toEqual([false, 0]);
    await issueIs('closed', CLOSED_WITHIN_MS);
  }, 180_000);
});
