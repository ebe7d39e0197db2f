import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';
import { book, change, COMMANDS, eventsOf, kindsOf, later, nextSlot } from './harness/ledger.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const get = (id: string) => app.api.get(`/v1/appointments/${id}`);
const perform = (id: string, command: string) => change(app.api, id, command, COMMANDS[command]?.());

describe('a booked appointment', () => {
  it('shows everything it was given', async () => {
    const startsAt = nextSlot();
    const call = await app.api.post('/v1/sessions', { direction: 'inbound', customer: { phone: '+4915112345678' } });
    const booked = await book(app.api, {
      session_id: call.body.id,
      customer: { phone: '+4915112345678' },
      service: 'dental_cleaning',
      resource_id: 'chair_2',
      starts_at: startsAt,
      duration_minutes: 45,
      time_zone: 'Europe/Berlin',
      external_id: 'crm-1',
      location: 'Room 2',
      notes: 'Window seat',
      metadata: { channel: 'call' },
    });
    expect(booked.status).toBe(201);
    expect(booked.headers.get('etag')).toBe('"v1"');
    const { deduplicated, ...appointment } = booked.body;
    expect(deduplicated).toBe(false);
    expect(appointment).toEqual({
      id: expect.stringMatching(/^apt_[0-9A-HJKMNP-TV-Z]{26}$/),
      object: 'appointment',
      status: 'pending',
      version: 1,
      customer_id: call.body.customer_id,
      session_id: call.body.id,
      conversation_id: null,
      external_id: 'crm-1',
      service: 'dental_cleaning',
      resource_id: 'chair_2',
      starts_at: startsAt,
      ends_at: new Date(Date.parse(startsAt) + 45 * 60_000).toISOString(),
      time_zone: 'Europe/Berlin',
      location: 'Room 2',
      notes: 'Window seat',
      reschedule: null,
      cancellation: null,
      failure: null,
      source: 'voice_agent',
      metadata: { channel: 'call' },
      created_at: expect.stringMatching(TIME),
      confirmed_at: null,
      updated_at: expect.stringMatching(TIME),
    });
    const read = await get(appointment.id);
    expect([read.body, read.headers.get('etag')]).toEqual([appointment, '"v1"']);
    expect((await app.api.get(`/v1/sessions/${call.body.id}`)).body.appointment_ids).toEqual([appointment.id]);
  });

  it('lasts thirty minutes in UTC when nobody says more', async () => {
    const { body } = await book(app.api);
    expect([body.ends_at, body.time_zone, body.source]).toEqual([later(body.starts_at), 'UTC', 'api']);
  });

  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/NEW_YORK', 'America/New_York'],
    ['europe/kyiv', 'Europe/Kyiv'],
    ['Europe/Kiev', 'Europe/Kiev'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['utc', 'UTC'],
    ['etc/gmt+5', 'Etc/GMT+5'],
  ])('keeps the zone %s in the spelling of the IANA database, for receivers too: %s', async (time_zone, spelled) => {
    const { body } = await book(app.api, { time_zone });
    const [event] = await eventsOf(app.api, body.id);
    expect([body.time_zone, event.data.object.time_zone]).toEqual([spelled, spelled]);
  });

  it('lasts until the end it was given, or from a minute to a week', async () => {
    const startsAt = nextSlot();
    const until = (minutes: number) => new Date(Date.parse(startsAt) + minutes * 60_000).toISOString();
    for (const [minutes, more] of [
      [75, { ends_at: until(75) }],
      [1, { duration_minutes: 1 }],
      [10_080, { duration_minutes: 10_080 }],
    ] as const) {
      const { body } = await book(app.api, { starts_at: startsAt, service: `for ${minutes}`, ...more });
      expect(body.ends_at).toBe(until(minutes));
    }
  });

  it('that starts confirmed has two events with versions 1 and 2', async () => {
    const { body } = await book(app.api, { status: 'confirmed' });
    expect(body).toMatchObject({ status: 'confirmed', version: 2, confirmed_at: expect.stringMatching(TIME) });
    const [created, confirmed] = await eventsOf(app.api, body.id);
    expect([created.type, created.data.object.version, created.data.object.status, created.previous_attributes]).toEqual([
      'appointment.created',
      1,
      'pending',
      { status: null },
    ]);
    expect([confirmed.type, confirmed.data.object.version, confirmed.previous_attributes]).toEqual([
      'appointment.confirmed',
      2,
      { status: 'pending', confirmed_at: null },
    ]);
  });

  it('that failed at once has the one event which says so', async () => {
    const { status, body } = await book(app.api, { status: 'failed', failure: { code: 'no_slot', message: 'None free.' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'failed', version: 1, failure: { code: 'no_slot', message: 'None free.' } });
    expect((await eventsOf(app.api, body.id)).map((event) => [event.type, event.previous_attributes])).toEqual([
      ['appointment.failed', { status: null }],
    ]);
  });
});

describe('booking again', () => {
  it('what is booked already answers with it and emits nothing', async () => {
    const slot = { starts_at: nextSlot(), customer: { phone: '+4915100000001' }, resource_id: 'chair_1' };
    const first = await book(app.api, slot);
    const second = await book(app.api, slot);
    expect([second.status, second.body.id, second.body.deduplicated]).toEqual([200, first.body.id, true]);
    expect(await kindsOf(app.api, first.body.id)).toEqual(['created']);
  });

  it('ten times at once makes one appointment', async () => {
    const slot = { starts_at: nextSlot(), customer: { phone: '+4915100000002' } };
    const answers = await Promise.all(Array.from({ length: 10 }, () => book(app.api, slot)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it.each([
    ['another service', { service: 'massage' }],
    ['another resource', { resource_id: 'chair_2' }],
    ['another time', { starts_at: nextSlot() }],
    ['another customer', { customer: { phone: '+4915100000004' } }],
  ])('with %s is a booking of its own', async (_, other) => {
    const slot = { starts_at: nextSlot(), customer: { phone: '+4915100000003' }, resource_id: 'chair_1' };
    const first = await book(app.api, slot);
    const second = await book(app.api, { ...slot, ...other });
    expect([second.status, second.body.deduplicated]).toEqual([201, false]);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each(['cancel', 'fail', 'reschedule'])('the slot that a %s has freed is a booking of its own', async (command) => {
    const slot = { starts_at: nextSlot(), customer: { phone: '+4915100000005' } };
    const first = await book(app.api, slot);
    await perform(first.body.id, command);
    const second = await book(app.api, slot);
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('where a move has put an appointment answers with that', async () => {
    const customer = { phone: '+4915100000006' };
    const { body } = await book(app.api, { customer });
    const to = nextSlot();
    await change(app.api, body.id, 'reschedule', { starts_at: to });
    const again = await book(app.api, { customer, starts_at: to });
    expect([again.status, again.body.id]).toEqual([200, body.id]);
  });
});

describe('refused', () => {
  it.each([
    ['no service', { service: undefined }, 'parameter_missing', 'service'],
    ['no time', { starts_at: undefined }, 'parameter_missing', 'starts_at'],
    ['a time that is none', { starts_at: 'tomorrow' }, 'parameter_invalid', 'starts_at'],
    ['a day without a time', { starts_at: '2030-03-01' }, 'parameter_invalid', 'starts_at'],
    ['a time beyond year 9999', { starts_at: '9999-12-31T23:59:59-12:00' }, 'parameter_invalid', 'starts_at'],
    ['a time before year 0', { starts_at: '0000-01-01T00:00:00+14:00' }, 'parameter_invalid', 'starts_at'],
    ['an end beyond year 9999', { starts_at: '9999-12-31T23:59:59Z' }, 'time_range_invalid', 'ends_at'],
    ['an end before its start', { ends_at: '2020-01-01T00:00:00Z' }, 'time_range_invalid', 'ends_at'],
    ['no length', { duration_minutes: 0 }, 'parameter_invalid', 'duration_minutes'],
    ['a length of more than a week', { duration_minutes: 10_081 }, 'parameter_invalid', 'duration_minutes'],
    ['a length of half minutes', { duration_minutes: 1.5 }, 'parameter_invalid', 'duration_minutes'],
    ['a zone that is no text', { time_zone: 2 }, 'parameter_invalid', 'time_zone'],
    ['an unknown zone', { time_zone: 'Mars/Olympus' }, 'time_range_invalid', 'time_zone'],
    ['an abbreviation that is no zone', { time_zone: 'BST' }, 'time_range_invalid', 'time_zone'],
    ['a zone that only some runtimes know', { time_zone: 'US/Pacific-New' }, 'time_range_invalid', 'time_zone'],
    ['a phone that is none', { customer: { phone: '0151' } }, 'phone_invalid_format', 'phone'],
    ['an unknown status', { status: 'cancelled' }, 'parameter_invalid', 'status'],
    ['failed without a failure', { status: 'failed' }, 'parameter_missing', 'failure'],
  ])('is a booking with %s', async (_, more, code, param) => {
    expect(errorOf(await book(app.api, more))).toEqual([400, 'invalid_request_error', code, param]);
  });

  it.each([
    ['customer_id', 'cust_01J9Z3K8Q4T6V8X0A2C4E6G8J0'],
    ['session_id', 'sess_01J9Z3K8Q4T6V8X0A2C4E6G8J0'],
  ])('is a booking with a %s of nobody or of another project', async (param, unknown) => {
    const other = await app.otherProject();
    const call = await other.post('/v1/sessions', { direction: 'inbound', customer: { email: 'a@example.com' } });
    const foreign = param === 'customer_id' ? call.body.customer_id : call.body.id;
    for (const id of [unknown, foreign, 'nonsense']) {
      expect(errorOf(await book(app.api, { [param]: id }))).toEqual([404, 'invalid_request_error', 'resource_missing', param]);
    }
  });

  it('is a booking for a customer that was deleted', async () => {
    const { body } = await app.api.post('/v1/customers', { email: 'deleted@example.com' });
    await app.api.delete(`/v1/customers/${body.id}`);
    const refusal = errorOf(await book(app.api, { customer_id: body.id }));
    expect(refusal).toEqual([404, 'invalid_request_error', 'resource_missing', 'customer_id']);
  });

  it('is everything with an id of nobody or of another project', async () => {
    const foreign = await book(await app.otherProject());
    for (const id of [UNKNOWN, foreign.body.id, 'nonsense']) {
      const answers = [
        await get(id),
        await app.api.patch(`/v1/appointments/${id}`, { notes: 'x' }),
        ...(await Promise.all(Object.keys(COMMANDS).map((command) => perform(id, command)))),
      ];
      const missing = [404, 'invalid_request_error', 'resource_missing', 'id'];
      expect(answers.map(errorOf)).toEqual(answers.map(() => missing));
    }
  });

  it('is all but the agent’s own routes to a key of an agent', async () => {
    const { body } = await book(app.api);
    const agent = await app.otherProject('agents', ['agent']);
    expect((await book(agent)).status).toBe(201);
    for (const path of [`appointments/${body.id}`, 'appointments', 'sessions', 'events', 'customers', 'conversations']) {
      expect(errorOf(await agent.get(`/v1/${path}`))).toEqual([403, 'permission_error', 'insufficient_scope']);
    }
    expect((await agent.post('/v1/webhook_endpoints', { url: 'https://example.com' })).status).toBe(403);
    const reader = await app.otherProject('readers', ['appointments:read']);
    expect([(await reader.get('/v1/appointments')).status, (await book(reader)).status]).toEqual([200, 403]);
  });
});

describe('the list', () => {
  it('narrows by everything that it says it does', async () => {
    const client = await app.otherProject();
    const call = await client.post('/v1/sessions', { direction: 'inbound', customer: { email: 'a@example.com' } });
    const customer = { customer_id: call.body.customer_id };
    const [one, two] = [
      (await book(client, { ...customer, session_id: call.body.id, resource_id: 'chair_1', external_id: 'x-1' })).body,
      (await book(client, { status: 'confirmed' })).body,
    ];
    const listed = async (query: string) =>
      (await client.get(`/v1/appointments?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await listed('')).toEqual([two.id, one.id]);
    expect(await listed('status=pending')).toEqual([one.id]);
    expect(await listed('status=pending,confirmed')).toEqual([two.id, one.id]);
    expect(await listed('status=cancelled')).toEqual([]);
    for (const query of [
      `customer_id=${one.customer_id}`,
      `session_id=${call.body.id}`,
      'resource_id=chair_1',
      'external_id=x-1',
    ])
      expect(await listed(query)).toEqual([one.id]);
    expect(await listed(`starts_at[gt]=${one.starts_at}`)).toEqual([two.id]);
    expect(await listed(`starts_at[lte]=${one.starts_at}`)).toEqual([one.id]);
    expect(await listed(`created_at[gt]=${two.created_at}`)).toEqual([]);
    expect(await listed(`created_at[lte]=${two.created_at}`)).toEqual([two.id, one.id]);
    expect(await listed(`updated_at[gte]=${two.updated_at}&starts_at[gt]=${one.starts_at}`)).toEqual([two.id]);
    expect(errorOf(await client.get('/v1/appointments?status=booked'))[2]).toBe('parameter_invalid');
  });
});
