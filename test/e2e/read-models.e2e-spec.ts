import type { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { ENGINE } from './harness/installation.js';
import { book } from './harness/ledger.js';
import { Processes } from './harness/processes.js';

const BOOKED = 20;

let processes: Processes;
let app: App;
let admin: Client;
beforeAll(async () => {
  processes = await Processes.start({});
  app = processes.gateway;
  admin = await app.admin();
  for (let n = 0; n < BOOKED; n++) await book(app.api);
});
afterAll(() => processes.dispose());

const standingOf = async (name: string) => (await admin.get(`/admin/v1/projections/${name}`)).body;
const rebuild = (path: string) => admin.post(`/admin/v1/projections/${path}`);

async function completed(id: string) {
  let task: any;
  await eventually(async () => {
    task = (await admin.get(`/admin/v1/tasks/${id}`)).body;
    expect(task.status).toBe('completed');
  });
  return task;
}

const rebuiltAlready = (rows: number) => ({
  percent: 100,
  rows,
  started_at: expect.any(String),
  completed_at: expect.any(String),
});

describe('a projection', () => {
  it('tells how it stands, who runs it and how many rows it has', async () => {
    await eventually(async () => {
      expect(await standingOf('appointments')).toEqual({
        object: 'projection',
        name: 'appointments',
        state: 'live',
        version: expect.any(Number),
        rows: BOOKED,
        columns: expect.any(Array),
        checkpoint: expect.stringMatching(/^\d{20}$/),
        head: expect.stringMatching(/^\d{20}$/),
        behind_events: ENGINE === 'cluster' ? null : 0,
        behind_seconds: 0,
        lag_ms: 0,
        last_progress_at: expect.any(String),
        process: { id: expect.any(String), app: ENGINE === 'cluster' ? 'projections' : 'gateway', since: expect.any(String) },
        rebuild: null,
        last_rebuild: null,
        skipped: 0,
        quarantined: 0,
        restarts: 0,
      });
    });
    expect((await admin.get('/admin/v1/projections')).body.data.map(({ name }: { name: string }) => name)).toContain(
      'appointments',
    );
  });

  it('tells the columns of its files, in their order', async () => {
    const { columns } = await standingOf('customers');
    expect(columns.map(({ name, type, personal }: Record<string, unknown>) => [name, type, personal])).toEqual([
      ['id', 'text', false],
      ['project_id', 'text', false],
      ['created_at', 'time', false],
      ['phone', 'text', true],
      ['email', 'text', true],
      ['name', 'text', true],
      ['external_id', 'text', true],
      ['metadata', 'json', true],
      ['updated_at', 'time', false],
      ['deleted_at', 'time', false],
      ['deleted', 'boolean', false],
      ['position', 'text', false],
    ]);
    const { data } = (await admin.get('/admin/v1/projections')).body;
    for (const projection of data) {
      expect(projection.columns.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['id', 'project_id']));
      for (const column of projection.columns) expect(column.meaning).toMatch(/\.$/);
    }
  });

  it('is one that is known', async () => {
    for (const { status, body } of [await admin.get('/admin/v1/projections/songs'), await rebuild('songs/rebuild')])
      expect([status, body.error]).toMatchObject([404, { code: 'resource_missing', param: 'name' }]);
  });
});

describe('a rebuild', () => {
  it('is a task of no project, which tells how many rows it made', async () => {
    const { status, body } = await rebuild('appointments/rebuild');
    expect([status, body]).toMatchObject([
      202,
      { kind: 'projections.rebuild', project_id: null, webhook_endpoint_id: null, parameters: { names: ['appointments'] } },
    ]);
    const task = await completed(body.id);
    const rebuilt = rebuiltAlready(BOOKED);
    expect(task.result).toEqual({ matched: 1, created: BOOKED, skipped: {}, projections: { appointments: rebuilt } });
    expect(task.progress).toEqual({ examined: 1, total: 1 });
    const { rebuild: newest, last_rebuild: last } = await standingOf('appointments');
    const { percent: _, ...told } = task.result.projections.appointments;
    expect([newest, last]).toEqual([
      { state: 'done', percent: 100 },
      { task_id: body.id, ...told },
    ]);
  });

  it('of all leaves the same rows in every one, and is the answer while it covers what is asked for', async () => {
    const before = (await admin.get('/admin/v1/projections')).body.data;
    const [all, again, one] = [await rebuild('rebuild'), await rebuild('rebuild'), await rebuild('events/rebuild')];
    expect([again.body.id, one.body.id]).toEqual([all.body.id, all.body.id]);
    const { result } = await completed(all.body.id);
    for (const { name, rows } of before.filter(({ name }: { name: string }) => !['tasks', 'audit-entries'].includes(name)))
      expect([name, result.projections[name]]).toEqual([name, rebuiltAlready(rows)]);
    expect((await app.api.get('/v1/appointments?limit=100')).body.data).toHaveLength(BOOKED);
  });

  it('goes on in the next process when its own is killed', async () => {
    const { body } = await rebuild('rebuild');
    await processes.projections.kill();
    await processes.projections.restart();
    admin = await app.admin();
    const { result } = await completed(body.id);
    expect(result.projections.appointments).toEqual(rebuiltAlready(BOOKED));
    expect((await app.api.get('/v1/appointments?limit=100')).body.data).toHaveLength(BOOKED);
  });
});
