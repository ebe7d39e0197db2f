import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';
import { appointmentIn, book, change, eventsOf, nextSlot } from './harness/ledger.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOBODY = 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

type Members = Record<string, unknown>;
interface Change {
  readonly id: string;
  readonly version: number;
  readonly type: string;
  readonly at: string;
  readonly reason: string;
  readonly event_id: string | null;
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}

const get = async (id: string) => (await app.api.get(`/v1/appointments/${id}`)).body;
const asOf = (id: string, at: string) => app.api.get(`/v1/appointments/${id}?as_of=${encodeURIComponent(at)}`);
const historyOf = async (id: string, query = '?limit=100'): Promise<readonly Change[]> =>
  (await app.api.get(`/v1/appointments/${id}/history${query}`)).body.data;

/** The members after these changes, each of which must begin where the one before ended. */
function after(changes: readonly Change[]): Members {
  const members: Members = {};
  for (const each of changes) {
    for (const [name, [was, is]] of Object.entries(each.changes)) {
      expect([name, members[name] ?? null]).toEqual([name, was]);
      members[name] = is;
    }
  }
  return withoutNulls(members);
}

const withoutNulls = (members: Members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** An appointment with each kind of change, at different instants. */
async function changedAppointment(): Promise<string> {
  const { body } = await book(app.api, { notes: 'by the window', metadata: { b: 1, a: 2 } });
  const steps = [
    () => change(app.api, body.id, 'confirm', { reason: 'confirmed_on_call' }),
    () => app.api.patch(`/v1/appointments/${body.id}`, { notes: null, location: 'Room 3', metadata: { a: 2, b: 1 } }),
    () => change(app.api, body.id, 'reschedule', { starts_at: nextSlot(), mode: 'cancel_and_recreate', confirm: true }),
    () => change(app.api, body.id, 'reschedule', { starts_at: nextSlot(), confirm: true }),
    () => change(app.api, body.id, 'cancel', { reason: 'ill', cancelled_by: 'customer' }),
    () => change(app.api, body.id, 'rebook', { starts_at: nextSlot() }),
    () => change(app.api, body.id, 'fail', { code: 'no_slot', message: 'None free.' }),
  ];
  for (const step of steps) {
    await pause(2);
    expect((await step()).status).toBe(200);
  }
  return body.id;
}

describe('the history of an appointment', () => {
  it('begins with every member that has a value, from null', async () => {
    const { body } = await book(app.api, { notes: 'by the window' });
    const { status, headers, body: page } = await app.api.get(`/v1/appointments/${body.id}/history`);
    const { deduplicated: _, ...appointment } = body;
    const valued = Object.entries(withoutNulls(appointment)).map(([name, value]) => [name, [null, value]]);
    const [event] = await eventsOf(app.api, body.id);
    expect([status, headers.get('etag')]).toEqual([200, null]);
    expect(page).toEqual({
      object: 'list',
      data: [
        {
          id: `${body.id}.1`,
          object: 'appointment_change',
          version: 1,
          type: 'created',
          at: body.created_at,
          actor: event.change.actor,
          reason: 'booked',
          changes: Object.fromEntries(valued),
          event_id: event.id,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it('tells each change with its version and its event, oldest first', async () => {
    const id = await changedAppointment();
    const changes = await historyOf(id);
    const told = changes.map(({ type, reason }) => [type, reason]);
    expect(told).toEqual([
      ['created', 'booked'],
      ['confirmed', 'confirmed_on_call'],
      ['amended', 'amended'],
      ['cancelled', 'rescheduling'],
      ['created', 'rescheduling'],
      ['confirmed', 'confirmed'],
      ['rescheduled', 'rescheduled'],
      ['confirmed', 'confirmed'],
      ['cancelled', 'ill'],
      ['created', 'rebooked'],
      ['failed', 'failed'],
    ]);
    expect(changes.map((each) => [each.id, each.version])).toEqual(changes.map((_, index) => [`${id}.${index + 1}`, index + 1]));
    const events = await eventsOf(app.api, id);
    const emitted = changes.filter(({ type }) => type !== 'amended');
    expect(emitted.map(({ event_id }) => event_id)).toEqual(events.map((event) => event.id));
    for (const [index, { type, at, reason, version }] of emitted.entries()) {
      const { type: eventType, created_at, change: cause, data } = events[index];
      expect([`appointment.${type}`, at, reason, version]).toEqual([eventType, created_at, cause.reason, data.object.version]);
    }
  });

  it('tells of a change what it set, as the appointment shows it, and nothing else', async () => {
    const { body } = await book(app.api);
    const starts_at = nextSlot();
    const moved = (await change(app.api, body.id, 'reschedule', { starts_at })).body;
    await app.api.patch(`/v1/appointments/${body.id}`, { notes: 'Brings a friend.' });
    const [, rescheduled, amended] = await historyOf(body.id);
    expect(rescheduled?.changes).toEqual({
      status: ['pending', 'rescheduled'],
      version: [1, 2],
      starts_at: [body.starts_at, starts_at],
      ends_at: [body.ends_at, moved.ends_at],
      reschedule: [null, moved.reschedule],
      updated_at: [body.updated_at, moved.updated_at],
    });
    expect(amended).toMatchObject({ event_id: null, reason: 'amended', changes: { notes: [null, 'Brings a friend.'] } });
    expect(Object.keys(amended?.changes ?? {}).filter((name) => name !== 'updated_at')).toEqual(['version', 'notes']);
  });

  it('leads from nothing to the appointment as it is shown', async () => {
    for (const id of [await changedAppointment(), await appointmentIn(app.api, 'failed')]) {
      expect(after(await historyOf(id))).toEqual(withoutNulls(await get(id)));
    }
  });

  it('keeps metadata as it was sent, in the order of its members', async () => {
    const id = await changedAppointment();
    const { text } = await app.api.get(`/v1/appointments/${id}/history?limit=100`);
    expect(text).toContain('"metadata":[{"b":1,"a":2},{"a":2,"b":1}]');
  });

  it('tells who made a change: a client, the agent of a call, or an administrator', async () => {
    const session = (await app.api.post('/v1/sessions', { direction: 'inbound' })).body.id;
    const { id } = (await book(app.api, { session_id: session })).body;
    await app.api.post(`/v1/sessions/${session}/close`);
    await change(app.api, id, 'confirm');
    const admin = await app.admin();
    const project = (await admin.get('/admin/v1/projects')).body.data[0].id as string;
    await admin.post(`/admin/v1/projects/${project}/appointments/${id}/cancel`);
    const path = `/admin/v1/projects/${project}/appointments/${id}/history`;
    const { data } = (await admin.get(path)).body;
    expect(data.map(({ actor }: { actor: object }) => actor)).toEqual([
      { type: 'agent', session_id: session },
      { type: 'client', session_id: null },
      { type: 'admin', session_id: expect.stringMatching(/^ases_/) },
    ]);
    expect(data).toEqual(await historyOf(id));
  });

  it('is read newest first, in pages, and goes on after the id of a change', async () => {
    const id = await changedAppointment();
    const whole = await historyOf(id);
    expect(await historyOf(id, '?order=desc&limit=100')).toEqual(whole.toReversed());
    expect(await historyOf(id, '?limit=3')).toEqual(whole.slice(0, 3));
    expect(await historyOf(id, `?starting_after=${id}.4&limit=2`)).toEqual(whole.slice(4, 6));
    expect(await historyOf(id, `?ending_before=${id}.4&limit=2`)).toEqual(whole.slice(1, 3));
    expect(await historyOf(id, `?starting_after=${id}.${whole.length}`)).toEqual([]);
    const refused = await app.api.get(`/v1/appointments/${id}/history?starting_after=${id}`);
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'cursor_invalid', 'starting_after']);
  });

  it('is nobody else’s, and of no appointment that is not there', async () => {
    const { id } = (await book(await app.otherProject())).body;
    for (const each of [id, NOBODY, 'apt_1', `${NOBODY}.1`]) {
      const refused = await app.api.get(`/v1/appointments/${each}/history`);
      expect(errorOf(refused)).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
    }
  });
});

describe('an appointment as of a time', () => {
  it('is what its changes up to then made of it', async () => {
    const id = await changedAppointment();
    const changes = await historyOf(id);
    for (const { at } of changes) {
      const { status, body, headers } = await asOf(id, at);
      expect([status, headers.get('etag')]).toEqual([200, null]);
      expect(withoutNulls(body)).toEqual(after(changes.filter((each) => each.at <= at)));
    }
    const first = Date.parse(changes[0]?.at ?? '');
    const between = new Date(first + 1).toISOString();
    expect((await asOf(id, between)).body).toMatchObject({ status: 'pending', version: 1, notes: 'by the window' });
  });

  it('has all members of an appointment', async () => {
    const { body } = await book(app.api);
    await change(app.api, body.id, 'confirm');
    const { deduplicated: _, ...first } = body;
    const { body: then } = await asOf(body.id, body.created_at);
    expect(Object.keys(then)).toEqual(Object.keys(first));
    expect(then.updated_at).toMatch(TIME);
  });

  it('is not there before it was booked', async () => {
    const { body } = await book(app.api);
    const before = new Date(Date.parse(body.created_at) - 1).toISOString();
    for (const at of [before, '1970-01-01', '2000-01-01T00:00:00+02:00'])
      expect(errorOf(await asOf(body.id, at))).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
    expect(errorOf(await asOf(NOBODY, body.created_at))).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
  });

  it('is as it is now at a time to come, without a version to match', async () => {
    const id = await changedAppointment();
    const { body, headers } = await asOf(id, '2200-01-01T00:00:00Z');
    expect(body).toEqual(await get(id));
    expect(headers.get('etag')).toBeNull();
    expect((await app.api.get(`/v1/appointments/${id}`)).headers.get('etag')).toBe(`"v${body.version}"`);
  });

  it('is as of one time, which is a time', async () => {
    const { id } = (await book(app.api)).body;
    const refusal = [400, 'invalid_request_error', 'parameter_invalid', 'as_of'];
    for (const at of ['yesterday', '', '2026-02-30T00:00:00Z', '1772355600000'])
      expect(errorOf(await asOf(id, at))).toEqual(refusal);
    const now = new Date().toISOString();
    expect(errorOf(await app.api.get(`/v1/appointments/${id}?as_of=${now}&as_of=${now}`))).toEqual(refusal);
    expect(errorOf(await asOf(NOBODY, 'yesterday'))).toEqual(refusal);
  });
});
