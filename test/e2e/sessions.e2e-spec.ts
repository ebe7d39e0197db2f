import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';
import { book, change, eventsOf } from './harness/ledger.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const UNKNOWN = 'sess_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const open = (more: object = {}) => app.api.post('/v1/sessions', { direction: 'inbound', ...more });
const close = (id: string, body: object = {}) => app.api.post(`/v1/sessions/${id}/close`, body);
const get = (id: string) => app.api.get(`/v1/sessions/${id}`);
const turn = (id: string, content: string, more: object = {}) =>
  app.api.post(`/v1/sessions/${id}/turns`, { role: 'user', content, ...more });

describe('a call', () => {
  it('shows everything it was given', async () => {
    const conversation = await app.api.post('/v1/conversations', {});
    const opened = await open({
      external_id: 'CA1',
      from: '+4915112345678',
      to: '+4930123456',
      customer: { phone: '+4915112345678' },
      conversation_id: conversation.body.id,
      metadata: { trunk: 'a' },
    });
    expect(opened.status).toBe(201);
    expect(opened.body).toEqual({
      id: expect.stringMatching(/^sess_[0-9A-HJKMNP-TV-Z]{26}$/),
      object: 'session',
      status: 'open',
      channel: 'voice',
      direction: 'inbound',
      external_id: 'CA1',
      from: '+4915112345678',
      to: '+4930123456',
      customer_id: expect.stringMatching(/^cust_/),
      conversation_id: conversation.body.id,
      appointment_ids: [],
      outcome: null,
      end_reason: null,
      summary: null,
      metadata: { trunk: 'a' },
      started_at: expect.stringMatching(TIME),
      ended_at: null,
      duration_seconds: null,
      created_at: expect.stringMatching(TIME),
    });
    expect((await get(opened.body.id)).body).toEqual(opened.body);
  });

  it('is with nobody when no customer is named', async () => {
    expect((await open({ from: '+4915112345678' })).body.customer_id).toBeNull();
  });

  it.each(['+4930123456', 'sip:desk@example.com', 'client:anna', 'anonymous', 'Restricted', null])(
    'is taken from and to %j, as telephony tells it',
    async (end) => {
      const { status, body } = await open({ from: end, to: end });
      expect([status, body.from, body.to]).toEqual([201, end, end]);
    },
  );

  it('is opened once under one external_id while it is open', async () => {
    const [first, second] = [await open({ external_id: 'CA2' }), await open({ external_id: 'CA2' })];
    expect([first.status, second.status, second.body.id]).toEqual([201, 200, first.body.id]);
    await close(first.body.id);
    const third = await open({ external_id: 'CA2' });
    expect(third.status).toBe(201);
    expect(third.body.id).not.toBe(first.body.id);
  });

  it('is opened once by ten at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => open({ external_id: 'CA3' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('knows what was booked on it', async () => {
    const { body } = await open({ customer: { phone: '+4915100000001' } });
    const booked = await book(app.api, { session_id: body.id });
    expect(booked.body).toMatchObject({ session_id: body.id, customer_id: body.customer_id, source: 'voice_agent' });
    expect((await get(body.id)).body.appointment_ids).toEqual([booked.body.id]);
  });

  it('is named by what is done to its bookings until it is over', async () => {
    const { body } = await open();
    const booked = await book(app.api, { session_id: body.id });
    await change(app.api, booked.body.id, 'confirm');
    await close(body.id);
    await change(app.api, booked.body.id, 'cancel', { cancelled_by: 'business' });
    const actors = (await eventsOf(app.api, booked.body.id)).map((event) => event.change.actor);
    const agent = { type: 'agent', session_id: body.id };
    expect(actors).toEqual([agent, agent, { type: 'client', session_id: null }]);
  });

  it('closes once, with what came of it', async () => {
    const { body } = await open();
    const endedAt = new Date(Date.parse(body.started_at) + 143_000).toISOString();
    const outcome = { outcome: 'appointment_booked', end_reason: 'customer_hangup', summary: 'Booked Monday.' };
    const closed = await close(body.id, { ...outcome, ended_at: endedAt });
    expect(closed.status).toBe(200);
    expect(closed.body).toMatchObject({ status: 'closed', ...outcome, ended_at: endedAt, duration_seconds: 143 });
    const again = await close(body.id, { outcome: 'failed', end_reason: 'other' });
    expect([again.status, again.body]).toEqual([200, closed.body]);
  });

  it.each(['appointment_booked', 'appointment_changed', 'appointment_cancelled', 'no_action', 'handed_off', 'failed', null])(
    'can come to %j',
    async (outcome) => {
      const { body } = await open();
      const closed = await close(body.id, { outcome });
      expect([closed.status, closed.body.outcome]).toEqual([200, outcome]);
    },
  );

  it('that ended before it began, by the clock of another, ended when it began', async () => {
    const { body } = await open();
    const closed = await close(body.id, { ended_at: '2020-01-01T00:00:00Z' });
    expect([closed.status, closed.body.ended_at, closed.body.duration_seconds]).toEqual([200, body.started_at, 0]);
    const beyond = await close(body.id, { ended_at: '9999-12-31T23:59:59-12:00' });
    expect(errorOf(beyond)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'ended_at']);
  });

  it('that is closed takes no more turns', async () => {
    const { body } = await open();
    await close(body.id);
    expect(errorOf(await turn(body.id, 'Hello?')).slice(0, 3)).toEqual([409, 'invalid_request_error', 'session_closed']);
  });

  it('has its transcript in the order in which it was spoken', async () => {
    const { body } = await open();
    const said = await turn(body.id, 'Can I come Monday?', { at: '2026-03-01T09:00:00Z' });
    expect(said.status).toBe(201);
    expect(said.body).toEqual({
      id: expect.stringMatching(/^turn_/),
      object: 'session_turn',
      session_id: body.id,
      role: 'user',
      content: 'Can I come Monday?',
      at: '2026-03-01T09:00:00.000Z',
      created_at: expect.stringMatching(TIME),
    });
    const answered = await turn(body.id, 'Yes, at ten.', { role: 'assistant' });
    await close(body.id);
    const { body: page } = await app.api.get(`/v1/sessions/${body.id}/turns`);
    expect(page).toEqual({ object: 'list', data: [said.body, answered.body], has_more: false, next_cursor: null });
    const first = await app.api.get(`/v1/sessions/${body.id}/turns?limit=1`);
    const second = await app.api.get(`/v1/sessions/${body.id}/turns?limit=1&starting_after=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(page.data);
  });
});

describe('refused', () => {
  it.each([
    [{ direction: undefined }, 'parameter_missing', 'direction'],
    [{ direction: 'sideways' }, 'parameter_invalid', 'direction'],
    [{ customer: { phone: '0151' } }, 'phone_invalid_format', 'phone'],
    [{ from: '030 123456' }, 'phone_invalid_format', 'from'],
    [{ to: 'nobody' }, 'phone_invalid_format', 'to'],
    [{ to: 'sip:desk at example.com' }, 'phone_invalid_format', 'to'],
    [{ to: `sip:${'x'.repeat(252)}` }, 'parameter_too_long', 'to'],
    [{ external_id: 'x'.repeat(256) }, 'parameter_too_long', 'external_id'],
  ])('is a call with %j', async (more, code, param) => {
    expect(errorOf(await open(more))).toEqual([400, 'invalid_request_error', code, param]);
  });

  it('is a call in a conversation of nobody or of another project', async () => {
    const foreign = await (await app.otherProject()).post('/v1/conversations', {});
    for (const conversation_id of ['conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0', foreign.body.id]) {
      const missing = [404, 'invalid_request_error', 'resource_missing', 'conversation_id'];
      expect(errorOf(await open({ conversation_id }))).toEqual(missing);
    }
  });

  it('is everything with an id of nobody or of another project', async () => {
    const foreign = await (await app.otherProject()).post('/v1/sessions', { direction: 'inbound' });
    for (const id of [UNKNOWN, foreign.body.id, 'nonsense']) {
      const answers = [await get(id), await close(id), await turn(id, 'x'), await app.api.get(`/v1/sessions/${id}/turns`)];
      expect(answers.map(errorOf)).toEqual(answers.map(() => [404, 'invalid_request_error', 'resource_missing', 'id']));
    }
  });
});

describe('the list', () => {
  it('narrows by everything that it says it does', async () => {
    const client = await app.otherProject();
    const make = async (body: object) => (await client.post('/v1/sessions', body)).body;
    const conversation = await client.post('/v1/conversations', {});
    const one = await make({ direction: 'inbound', external_id: 'CA1', customer: { email: 'a@example.com' } });
    const two = await make({ direction: 'outbound', conversation_id: conversation.body.id });
    await client.post(`/v1/sessions/${one.id}/close`, {});
    const listed = async (query: string) =>
      (await client.get(`/v1/sessions?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await listed('')).toEqual([two.id, one.id]);
    for (const query of ['status=closed', `customer_id=${one.customer_id}`, 'direction=inbound', 'external_id=CA1'])
      expect(await listed(query)).toEqual([one.id]);
    for (const query of ['status=open', `conversation_id=${conversation.body.id}`, 'direction=outbound'])
      expect(await listed(query)).toEqual([two.id]);
    expect(await listed(`started_at[gte]=${one.started_at}`)).toContain(two.id);
    expect(await listed(`created_at[lte]=${two.created_at}`)).toEqual([two.id, one.id]);
    expect(await listed(`created_at[gt]=${two.created_at}`)).toEqual([]);
    expect(await listed(`started_at[lt]=${one.started_at}`)).toEqual([]);
    for (const query of ['status=lost', 'direction=up', 'started_at[gte]=noon'])
      expect(errorOf(await client.get(`/v1/sessions?${query}`))[2]).toBe('parameter_invalid');
  });
});
