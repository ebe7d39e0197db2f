import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';
import { appointmentIn, book, change, COMMANDS, eventsOf, kindsOf, nextSlot, type Status } from './harness/ledger.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const get = (id: string) => app.api.get(`/v1/appointments/${id}`);
const perform = (id: string, command: string) => change(app.api, id, command, COMMANDS[command]?.());

const LIVE: readonly Status[] = ['pending', 'confirmed', 'rescheduled'];
const OVER: readonly Status[] = ['cancelled', 'failed'];
type Row = readonly [Status, string, Status, readonly string[]];
const rows = (froms: readonly Status[], command: string, to: Status, ...kinds: string[]) =>
  froms.map((from): Row => [from, command, to, kinds]);

describe('from status to status', () => {
  it.each([
    ...rows(['pending', 'rescheduled'], 'confirm', 'confirmed', 'confirmed'),
    ...rows(LIVE, 'reschedule', 'rescheduled', 'rescheduled'),
    ...rows(LIVE, 'cancel', 'cancelled', 'cancelled'),
    ...rows(LIVE, 'fail', 'failed', 'failed'),
    ...rows(OVER, 'rebook', 'pending', 'created'),
    ...rows(['confirmed'], 'confirm', 'confirmed'),
    ...rows(['cancelled'], 'cancel', 'cancelled'),
    ...rows(['failed'], 'fail', 'failed'),
  ])('%s, then %s: %s, emitting %j', async (from, command, to, kinds) => {
    const id = await appointmentIn(app.api, from);
    const before = await get(id);
    const known = (await kindsOf(app.api, id)).length;
    const { status, body, headers } = await perform(id, command);
    expect([status, body.status, body.version]).toEqual([200, to, before.body.version + kinds.length]);
    expect(headers.get('etag')).toBe(`"v${body.version}"`);
    expect((await get(id)).body).toEqual(body);
    const emitted = (await eventsOf(app.api, id)).slice(known);
    expect(emitted.map(({ type }) => type)).toEqual(kinds.map((kind) => `appointment.${kind}`));
    for (const event of emitted) {
      expect(event.previous_attributes.status).toBe(from);
      expect(event.data).toEqual({ object: body, previous_attributes: event.previous_attributes });
      expect(event.change.previous_version).toBe(before.body.version);
    }
  });

  it.each([
    ...LIVE.map((from) => [from, 'rebook']),
    ...OVER.flatMap((from) => [
      [from, 'confirm'],
      [from, 'reschedule'],
    ]),
    ['cancelled', 'fail'],
    ['failed', 'cancel'],
  ] as [Status, string][])('%s, then %s: refused, naming what would be allowed', async (from, command) => {
    const id = await appointmentIn(app.api, from);
    const before = await get(id);
    const refused = await perform(id, command);
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'appointment_invalid_transition']);
    expect(refused.body.error).toMatchObject({ current_status: from, allowed_transitions: expect.any(Array) });
    expect(refused.headers.get('service-should-retry')).toBe('false');
    expect((await get(id)).body).toEqual(before.body);
  });

  it('a move keeps the length and tells the former time', async () => {
    const { body } = await book(app.api, { duration_minutes: 90 });
    const to = nextSlot();
    const moved = await change(app.api, body.id, 'reschedule', { starts_at: to, reason: 'customer_request' });
    expect(Date.parse(moved.body.ends_at) - Date.parse(to)).toBe(90 * 60_000);
    expect(moved.body.reschedule).toEqual({
      count: 1,
      previous_starts_at: body.starts_at,
      previous_ends_at: body.ends_at,
      at: expect.stringMatching(TIME),
    });
    const [, event] = await eventsOf(app.api, body.id);
    const former = { status: 'pending', starts_at: body.starts_at, ends_at: body.ends_at, reschedule: null };
    expect(event.previous_attributes).toEqual(former);
    expect(event.change.reason).toBe('customer_request');
  });

  it.each(['reschedule', 'rebook'])('a %s that names an end ends then', async (command) => {
    const id = await appointmentIn(app.api, command === 'rebook' ? 'cancelled' : 'pending');
    const to = nextSlot();
    const ends_at = new Date(Date.parse(to) + 75 * 60_000).toISOString();
    const { body } = await change(app.api, id, command, { starts_at: to, ends_at });
    expect([body.starts_at, body.ends_at]).toEqual([to, ends_at]);
  });

  it.each(Object.keys(COMMANDS))('a %s tells the reason that it was given', async (command) => {
    const id = await appointmentIn(app.api, command === 'rebook' ? 'cancelled' : 'pending');
    await change(app.api, id, command, { ...COMMANDS[command]?.(), reason: 'as_agreed' });
    expect((await eventsOf(app.api, id)).at(-1).change.reason).toBe('as_agreed');
  });

  it('a booking tells the reason that it was given', async () => {
    const { body } = await book(app.api, { reason: 'as_agreed' });
    expect((await eventsOf(app.api, body.id)).map((event) => event.change.reason)).toEqual(['as_agreed']);
  });

  it('a failure tells its code and its message', async () => {
    const id = await appointmentIn(app.api, 'pending');
    const why = { code: 'no_slot', message: 'None free.' };
    expect((await change(app.api, id, 'fail', why)).body.failure).toEqual({ ...why, at: expect.stringMatching(TIME) });
  });

  it('a move to the same time is a move to nowhere', async () => {
    const { body } = await book(app.api);
    const moved = await change(app.api, body.id, 'reschedule', { starts_at: body.starts_at });
    expect([moved.status, moved.body.status, moved.body.version]).toEqual([200, 'pending', 1]);
    expect(await kindsOf(app.api, body.id)).toEqual(['created']);
  });

  it('a move that confirms as well emits both in that order', async () => {
    const { body } = await book(app.api);
    const moved = await change(app.api, body.id, 'reschedule', { starts_at: nextSlot(), confirm: true });
    expect([moved.body.status, moved.body.version]).toEqual(['confirmed', 3]);
    expect(await kindsOf(app.api, body.id)).toEqual(['created', 'rescheduled', 'confirmed']);
  });

  it.each(LIVE)('a %s one cancelled and recreated keeps its id', async (from) => {
    const id = await appointmentIn(app.api, from);
    const known = (await kindsOf(app.api, id)).length;
    const moved = await change(app.api, id, 'reschedule', { starts_at: nextSlot(), mode: 'cancel_and_recreate' });
    expect([moved.status, moved.body.id, moved.body.status, moved.body.cancellation]).toEqual([200, id, 'pending', null]);
    const [cancelled, created] = (await eventsOf(app.api, id)).slice(known);
    expect([cancelled.type, created.type]).toEqual(['appointment.cancelled', 'appointment.created']);
    expect([cancelled.previous_attributes.status, created.previous_attributes.status]).toEqual([from, 'cancelled']);
    expect(created.data.object.version).toBe(cancelled.data.object.version + 1);
    expect(cancelled.sequence).toBeLessThan(created.sequence);
    expect(created.change.correlation_id).toBe(cancelled.change.correlation_id);
    expect([cancelled.change.reason, created.change.reason]).toEqual(['rescheduling', 'rescheduling']);
  });

  it.each(['customer', 'business', 'agent', 'system'])('a cancellation can be by the %s', async (by) => {
    const { body } = await book(app.api);
    const cancelled = await change(app.api, body.id, 'cancel', { cancelled_by: by });
    expect([cancelled.status, cancelled.body.cancellation?.cancelled_by]).toEqual([200, by]);
  });

  it('a cancellation tells who and why', async () => {
    const { body } = await book(app.api);
    const why = { reason: 'closed_that_day', cancelled_by: 'business' };
    const { body: cancelled } = await change(app.api, body.id, 'cancel', why);
    expect(cancelled.cancellation).toEqual({ ...why, at: expect.stringMatching(TIME) });
    expect((await change(app.api, body.id, 'cancel', {})).body.cancellation).toEqual(cancelled.cancellation);
  });

  describe('a cancellation that does not say by whom', () => {
    const keyWith = async (...scopes: readonly string[]) => {
      const admin = await app.admin();
      const { body: projects } = await admin.get('/admin/v1/projects');
      const path = `/admin/v1/projects/${projects.data[0].id}/api_keys`;
      return app.as((await admin.post(path, { name: 'k', scopes })).body.secret);
    };
    const WIDE = ['agent', 'appointments:read'];

    it.each([
      ['a key with more scopes than agent', WIDE, 'on no call', 'business'],
      ['a key with more scopes than agent', WIDE, 'on a call', 'customer'],
      ['a key with more scopes than agent', WIDE, 'on a call that is over', 'business'],
      ['a key of a voice agent', ['agent'], 'on no call', 'customer'],
      ['a key of a voice agent', ['agent'], 'on a call', 'customer'],
      ['a key of a voice agent', ['agent'], 'on a call that is over', 'customer'],
    ])('with %s %j and a booking %s is by the %s', async (_key, scopes, call, by) => {
      const client = await keyWith(...scopes);
      const session = call === 'on no call' ? null : (await app.api.post('/v1/sessions', { direction: 'inbound' })).body.id;
      const { body } = await book(app.api, { session_id: session });
      if (call === 'on a call that is over') await app.api.post(`/v1/sessions/${session}/close`, {});
      for (const asked of [{}, { cancelled_by: null }]) {
        const { body: cancelled } = await change(client, body.id, 'cancel', asked);
        expect(cancelled.cancellation).toMatchObject({ reason: null, cancelled_by: by });
      }
      const { body: other } = await book(app.api);
      const named = await change(client, other.id, 'cancel', { cancelled_by: 'system' });
      expect(named.body.cancellation.cancelled_by).toBe('system');
    });
  });
});

describe('versions', () => {
  it.each(Object.keys(COMMANDS))('%s of a version that is past is refused with the present one', async (command) => {
    const id = await appointmentIn(app.api, command === 'rebook' ? 'cancelled' : 'rescheduled');
    for (const [body, headers] of [
      [{ expected_version: 1 }, {}],
      [{}, { 'if-match': '"v1"' }],
      [{ expected_version: 1 }, { 'if-match': '"v2"' }],
      [{ expected_version: 2 }, { 'if-match': '"v1"' }],
    ] as const) {
      const refused = await change(app.api, id, command, { ...COMMANDS[command]?.(), ...body }, headers);
      expect(errorOf(refused).slice(0, 3)).toEqual([412, 'invalid_request_error', 'version_conflict']);
      expect(refused.body.error.current_version).toBe(2);
    }
    const done = await change(app.api, id, command, COMMANDS[command]?.() ?? {}, { 'if-match': '"v2"' });
    expect([done.status, done.body.version]).toEqual([200, 3]);
  });

  it('rise by one for what is not the status either, and nothing is emitted', async () => {
    const { body } = await book(app.api);
    const patched = await app.api.patch(`/v1/appointments/${body.id}`, { notes: 'Window seat', location: 'Room 2' });
    expect(patched.body).toMatchObject({ version: 2, notes: 'Window seat', location: 'Room 2', status: 'pending' });
    const cleared = { notes: null, location: null, metadata: { seat: 'aisle' } };
    expect((await app.api.patch(`/v1/appointments/${body.id}`, cleared)).body).toMatchObject({ version: 3, ...cleared });
    const stale = await app.api.patch(`/v1/appointments/${body.id}`, { notes: 'x', expected_version: 1 });
    expect([stale.status, stale.body.error.current_version]).toEqual([412, 3]);
    expect(await kindsOf(app.api, body.id)).toEqual(['created']);
  });

  it('rise by one for ten confirmations at once, with one event', async () => {
    const { body } = await book(app.api);
    const answers = await Promise.all(Array.from({ length: 10 }, () => change(app.api, body.id, 'confirm')));
    expect(answers.map(({ status, body: { version } }) => [status, version])).toEqual(Array(10).fill([200, 2]));
    expect(await kindsOf(app.api, body.id)).toEqual(['created', 'confirmed']);
  });

  it('let one of two win who change the same one', async () => {
    const { body } = await book(app.api);
    const answers = await Promise.all(
      ['confirm', 'cancel'].map((command) => change(app.api, body.id, command, { expected_version: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('in a form nobody knows are refused', async () => {
    const { body } = await book(app.api);
    expect((await change(app.api, body.id, 'confirm', {}, { 'if-match': 'seven' })).status).toBe(400);
    expect((await change(app.api, body.id, 'confirm', { expected_version: 'v1' })).status).toBe(400);
  });
});

describe('a request that cannot be meant', () => {
  const backwards = { starts_at: '2030-01-01T10:00:00Z', ends_at: '2030-01-01T10:00:00Z' };
  const badRange = [400, 'invalid_request_error', 'time_range_invalid', 'ends_at'];

  it.each(['reschedule', 'rebook'])(
    'to %s to an end before its start is refused before anything is looked up',
    async (command) => {
      const ids = [
        'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0',
        await appointmentIn(app.api, 'pending'),
        await appointmentIn(app.api, 'cancelled'),
      ];
      const answers = await Promise.all(ids.map((id) => change(app.api, id, command, backwards, { 'if-match': '"v9"' })));
      expect(answers.map(errorOf)).toEqual(ids.map(() => badRange));
    },
  );

  it('is refused as such under a key that was used for another', async () => {
    const key = { 'idempotency-key': 'meant-once' };
    const { body: first } = await book(app.api, {}, key);
    const twoEnds = await book(app.api, { duration_minutes: 30, ends_at: '2040-01-01T10:00:00Z' }, key);
    expect(errorOf(twoEnds)).toEqual([400, 'invalid_request_error', 'parameter_conflict', 'duration_minutes']);
    expect(errorOf(await book(app.api, { status: 'failed' }, key)).slice(2)).toEqual(['parameter_missing', 'failure']);
    expect(errorOf(await change(app.api, first.id, 'reschedule', backwards, key))).toEqual(badRange);
    const unmatched = await change(app.api, first.id, 'confirm', {}, { ...key, 'if-match': 'seven' });
    expect(errorOf(unmatched)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'If-Match']);
  });
});
