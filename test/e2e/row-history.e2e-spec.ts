import type { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book, change, nextSlot } from './harness/ledger.js';
import { Processes } from './harness/processes.js';
import { Backend, LOCAL_HOOKS } from './harness/receiver.js';

let processes: Processes;
let app: App;
let backend: Backend;
let admin: Client;
beforeAll(async () => {
  backend = await Backend.start();
  processes = await Processes.start(LOCAL_HOOKS);
  app = processes.gateway;
  admin = await app.admin();
});
afterAll(() => Promise.all([processes.dispose(), backend.close()]));

const pathOf = (name: string, id: string) => `/admin/v1/projections/${name}/rows/${id}`;
const rowOf = async (name: string, id: string) => (await admin.get(pathOf(name, id))).body;
const historyOf = (name: string, id: string, query = '') => admin.get(`${pathOf(name, id)}/history?limit=100${query}`);

type Members = Record<string, unknown>;
interface Step {
  readonly id: string;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** The row after these steps, each of which must begin where the one before ended. */
function after(steps: readonly Step[]): Members {
  const row: Members = {};
  for (const { changes } of steps) {
    for (const [name, [was, is]] of Object.entries(changes)) {
      expect([name, row[name] ?? null]).toEqual([name, was]);
      row[name] = is;
    }
  }
  return row;
}

const withoutNulls = (row: Members) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** One row of each kind that has a history, changed more than once. */
async function changedRows(): Promise<readonly (readonly [string, string])[]> {
  const { api } = app;
  const endpoint = (await api.post('/v1/webhook_endpoints', { url: backend.hook(200).url })).body.id;
  const { conversation } = (await api.say('thread', 'hello')).body;
  await api.post(`/v1/conversations/${conversation.id}/end`);
  const customer = (await api.post('/v1/customers', { name: 'Kim', phone: '+4915112345678' })).body.id;
  await api.patch(`/v1/customers/${customer}`, { name: 'Kim Lee' });
  await api.delete(`/v1/customers/${customer}`);
  const session = (await api.post('/v1/sessions', { direction: 'inbound' })).body.id;
  const appointment = (await book(api, { session_id: session })).body.id;
  await book(api, { session_id: session });
  await change(api, appointment, 'confirm');
  await change(api, appointment, 'reschedule', { starts_at: nextSlot() });
  await change(api, appointment, 'cancel');
  await api.post(`/v1/sessions/${session}/close`);
  const project = (await admin.post('/admin/v1/projects', { name: 'salon' })).body.id;
  await admin.patch(`/admin/v1/projects/${project}`, { name: 'salon at the corner' });
  const task = (await admin.post('/admin/v1/projections/customers/rebuild')).body.id;
  const event = (await api.get(`/v1/events?object_id=${appointment}`)).body.data[0].id;
  const delivery = await eventually(async () => {
    const found = (await api.get(`/v1/deliveries?event_id=${event}&status=succeeded`)).body.data[0];
    expect(found).toMatchObject({ webhook_endpoint_id: endpoint });
    expect((await admin.get(`/admin/v1/tasks/${task}`)).body.status).toBe('completed');
    return found.id as string;
  });
  return [
    ['conversations', conversation.id],
    ['customers', customer],
    ['projects', project],
    ['tasks', task],
    ['sessions', session],
    ['appointments', appointment],
    ['events', event],
    ['deliveries', delivery],
  ];
}

describe('the row of a projection', () => {
  it('is shown as it is stored, whosever it is', async () => {
    const { id, version } = (await book(await app.otherProject(), { notes: 'by the window' })).body;
    expect(await rowOf('appointments', id)).toEqual({
      object: 'projection_row',
      projection: 'appointments',
      id,
      position: expect.stringMatching(/^\d{20}$/),
      stale: false,
      row: expect.objectContaining({ status: 'pending', notes: 'by the window', version }),
    });
  });

  it('is one that is known, of a projection that is known', async () => {
    for (const [path, param] of [
      [pathOf('songs', 'apt_1'), 'name'],
      [pathOf('appointments', 'apt_1'), 'id'],
    ] as const) {
      for (const each of [path, `${path}/history`])
        expect(errorOf(await admin.get(each))).toEqual([404, 'invalid_request_error', 'resource_missing', param]);
    }
    expect(errorOf(await app.as(null).get(pathOf('appointments', 'apt_1')))).toEqual([
      401,
      'authentication_error',
      'admin_session_invalid',
    ]);
  });
});

describe('the history of a row', () => {
  it('begins with nothing and ends with the row, whatever it is a row of', async () => {
    for (const [name, id] of await changedRows()) {
      const { data, has_more: hasMore } = (await historyOf(name, id)).body;
      const { row, position } = await rowOf(name, id);
      expect([name, hasMore, data.length > 1]).toEqual([name, false, true]);
      expect([name, withoutNulls(after(data))]).toEqual([name, withoutNulls(row)]);
      expect([name, data.at(-1).id]).toEqual([name, position]);
    }
  });

  it('tells what each event was, what caused it and what it changed', async () => {
    const { id } = (await book(app.api)).body;
    await change(app.api, id, 'confirm');
    const [booked, confirmed] = (await historyOf('appointments', id)).body.data;
    expect(booked.changes.status).toEqual([null, 'pending']);
    expect(confirmed).toEqual({
      object: 'row_change',
      id: expect.stringMatching(/^\d{20}$/),
      at: expect.stringMatching(/Z$/),
      event: {
        type: 'AppointmentConfirmed',
        stream: `appointment-${id}`,
        revision: 1,
        position: confirmed.id,
        data: expect.not.objectContaining({ type: expect.anything() }),
      },
      envelope: expect.objectContaining({ $correlationId: expect.any(String) }),
      changes: expect.objectContaining({ status: ['pending', 'confirmed'], version: [1, 2] }),
    });
    expect(confirmed.changes).not.toHaveProperty('service');
  });

  it('is the same in pages, forwards and backwards', async () => {
    const { conversation } = (await app.api.say('long', 'hello')).body;
    for (let n = 0; n < 3; n++) await app.api.say('long', `and ${n}`);
    const whole = (await historyOf('conversations', conversation.id)).body.data;
    expect(whole.length).toBeGreaterThan(4);
    const path = `${pathOf('conversations', conversation.id)}/history?limit=3`;
    for (const [order, expected] of [
      ['asc', whole],
      ['desc', whole.toReversed()],
    ] as const) {
      const read = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body } = await admin.get(`${path}&order=${order}${cursor && `&starting_after=${cursor}`}`);
        read.push(...body.data);
        cursor = body.next_cursor;
      }
      expect(read).toEqual(expected);
    }
    const rest = (await admin.get(`${path}&starting_after=${whole[0].id}`)).body.data;
    expect(rest).toEqual(whole.slice(1, 4));
    expect(errorOf(await admin.get(`${path}&starting_after=cur_1`))).toEqual([
      400,
      'invalid_request_error',
      'cursor_invalid',
      'starting_after',
    ]);
  });

  it('is not told of rows that many streams make', async () => {
    const entries = (await admin.get('/admin/v1/audit_log')).body.data;
    const refused = await historyOf('audit-entries', entries[0].id);
    expect(errorOf(refused)).toEqual([404, 'invalid_request_error', 'history_unavailable']);
    expect((await rowOf('audit-entries', entries[0].id)).row).toMatchObject({ action: expect.stringContaining('POST') });
  });
});
