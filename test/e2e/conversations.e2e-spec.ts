import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

let threads = 0;
const newThread = () => `thread-${++threads}`;
const create = (thread: string, more: object = {}) => app.api.post('/v1/conversations', { external_id: thread, ...more });
const get = (id: string) => app.api.get(`/v1/conversations/${id}`);
const end = (id: string, body?: object) => app.api.post(`/v1/conversations/${id}/end`, body);
const post = (id: string, content: string) => app.api.post(`/v1/conversations/${id}/messages`, { content });
const idsOf = ({ body }: Answer) => (body.data as { id: string }[]).map(({ id }) => id);
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const UNKNOWN = 'conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('a new conversation', () => {
  it('is active and shows what it was given', async () => {
    const thread = newThread();
    const created = await create(thread, { metadata: { channel: 'web' }, customer: { phone: '+4915100000001' } });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^conv_[0-9A-HJKMNP-TV-Z]{26}$/),
      object: 'conversation',
      status: 'active',
      external_id: thread,
      customer_id: expect.stringMatching(/^cust_[0-9A-HJKMNP-TV-Z]{26}$/),
      metadata: { channel: 'web' },
      time_zone: null,
      created_at: expect.stringMatching(TIME),
      last_message_at: null,
      ended_at: null,
      handed_off_at: null,
      handoff: null,
      end_reason: null,
    });
  });

  it('keeps its zone in the spelling of the IANA database, and shows it wherever it is shown', async () => {
    const created = await create(newThread(), { time_zone: 'europe/berlin', metadata: { time_zone: 'Asia/Tokyo' } });
    expect(created.body).toMatchObject({ time_zone: 'Europe/Berlin', metadata: { time_zone: 'Asia/Tokyo' } });
    expect((await get(created.body.id)).text).toBe(created.text);
    expect((await app.api.get('/v1/conversations?limit=1')).body.data).toEqual([created.body]);
  });

  it.each([
    ['Berlin', 'time_range_invalid'],
    ['Mars/Base', 'time_range_invalid'],
    ['+01:00', 'time_range_invalid'],
    ['BST', 'time_range_invalid'],
    ['', 'time_range_invalid'],
    [2, 'parameter_invalid'],
  ])('is not made in the zone %p, by either way', async (time_zone, code) => {
    const refusals = [await create(newThread(), { time_zone }), await app.api.say(newThread(), 'Hello', { time_zone })];
    for (const { status, body } of refusals)
      expect([status, body.error.code, body.error.param]).toEqual([400, code, 'time_zone']);
  });

  it('can be read and is listed at once', async () => {
    for (let round = 0; round < 10; round++) {
      const created = await create(newThread());
      expect((await get(created.body.id)).text).toBe(created.text);
      expect(idsOf(await app.api.get('/v1/conversations?limit=1'))).toEqual([created.body.id]);
    }
  });

  it('needs no thread, and then any number of them are live', async () => {
    const [one, other] = [
      await app.api.post('/v1/conversations', {}),
      await app.api.post('/v1/conversations', { external_id: null }),
    ];
    expect([one.status, one.body.external_id, other.status, other.body.external_id]).toEqual([201, null, 201, null]);
    expect(other.body.id).not.toBe(one.body.id);
  });

  it('in the thread of a live one is refused, and the live one named', async () => {
    const thread = newThread();
    const { body } = await create(thread);
    const refused = await create(thread);
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'external_id_taken', 'external_id']);
    expect(refused.body.error.existing_id).toBe(body.id);
    expect(refused.headers.get('service-should-retry')).toBe('false');
  });

  it('that is refused makes no customer', async () => {
    const thread = newThread();
    await create(thread);
    expect((await create(thread, { customer: { phone: '+4915100000099' } })).status).toBe(409);
    expect((await app.api.get('/v1/customers?phone=%2B4915100000099')).body.data).toEqual([]);
  });

  it('may use the thread of another project', async () => {
    const thread = newThread();
    await create(thread);
    const other = await app.otherProject();
    expect((await other.post('/v1/conversations', { external_id: thread })).status).toBe(201);
  });

  it.each(['text', 7, true, ['list']])('may not have %j for a thread or customer', async (value) => {
    if (typeof value !== 'string')
      expect(errorOf(await app.api.post('/v1/conversations', { external_id: value }))[2]).toBe('parameter_invalid');
    expect(errorOf(await app.api.post('/v1/conversations', { customer: value }))).toEqual([
      400,
      'invalid_request_error',
      'parameter_invalid',
      'customer',
    ]);
  });
});

describe('a thread', () => {
  it('under parallel creates has one conversation, which all others are told', async () => {
    const thread = newThread();
    const answers = await times(12, () => create(thread));
    const [made, ...refused] = answers.toSorted((one, other) => one.status - other.status);
    expect(made?.status).toBe(201);
    expect(refused.map(({ status, body }) => [status, body.error?.existing_id])).toEqual(refused.map(() => [409, made?.body.id]));
  });

  it('under parallel first messages gets one conversation with all of them', async () => {
    const thread = newThread();
    const answers = await times(8, (index) => app.api.say(thread, `Message ${index}`));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.conversation_id)).size).toBe(1);
    expect(idsOf(await app.api.get(`/v1/conversations?external_id=${thread}`))).toHaveLength(1);
  });

  it('never has two live conversations, whatever is done to it at once', async () => {
    const thread = newThread();
    for (let round = 0; round < 6; round++) {
      const answers = await times(9, (index) =>
        index % 3 === 0 ? create(thread) : app.api.say(thread, index % 3 === 1 ? 'Hello' : 'Goodbye'),
      );
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const { body } = await app.api.get(`/v1/conversations?external_id=${thread}&limit=100`);
      const live = body.data.filter(({ status }: { status: string }) => status !== 'ended');
      expect(live.length).toBeLessThanOrEqual(1);
      await times(3, () => end(body.data[0].id));
      expect((await create(thread)).status).toBe(201);
    }
  });

  it('is free again once its conversation was ended', async () => {
    const thread = newThread();
    const first = await create(thread);
    await end(first.body.id);
    const second = await create(thread);
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await get(first.body.id)).body.status).toBe('ended');
  });

  it('is free again once the agent has ended its conversation', async () => {
    const thread = newThread();
    const { body } = await app.api.say(thread, 'Goodbye');
    expect(body.reply.actions).toEqual([expect.objectContaining({ type: 'end_conversation' })]);
    expect(body.conversation).toMatchObject({ status: 'ended', end_reason: 'agent', ended_at: expect.stringMatching(TIME) });
    const next = await app.api.say(thread, 'Hello again');
    expect([next.status, next.body.conversation.status]).toEqual([200, 'active']);
    expect(next.body.conversation_id).not.toBe(body.conversation_id);
  });

  it('of a handed-off conversation is taken until that is ended', async () => {
    const thread = newThread();
    const { body } = await app.api.say(thread, 'I want to talk to a human');
    const taken = await create(thread);
    expect([...errorOf(taken), taken.body.error.existing_id].slice(2)).toEqual([
      'external_id_taken',
      'external_id',
      body.conversation_id,
    ]);
    const ended = await end(body.conversation_id);
    expect(ended.body).toMatchObject({ status: 'ended', end_reason: 'explicit', handed_off_at: body.conversation.handed_off_at });
    expect((await create(thread)).status).toBe(201);
  });
});

describe('ending a conversation', () => {
  it('keeps everything else of it', async () => {
    const { body } = await app.api.say(newThread(), 'Hello', { metadata: { a: 1 } });
    const ended = await end(body.conversation_id, { reason: 'done' });
    expect(ended.status).toBe(200);
    expect(ended.body).toEqual({
      ...body.conversation,
      status: 'ended',
      ended_at: expect.stringMatching(TIME),
      end_reason: 'explicit',
    });
    expect((await get(body.conversation_id)).text).toBe(ended.text);
  });

  it('again changes nothing, however many do so at once', async () => {
    const { body } = await create(newThread());
    const answers = await times(8, () => end(body.id));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set([...answers, await end(body.id)].map(({ text }) => text)).size).toBe(1);
  });

  it('is final for messages by its id', async () => {
    const { body } = await create(newThread());
    await end(body.id);
    const refused = await post(body.id, 'Hello?');
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'conversation_ended']);
    expect(refused.body.error.conversation_id).toBe(body.id);
    expect(refused.headers.get('service-should-retry')).toBe('false');
    expect((await app.api.get(`/v1/conversations/${body.id}/messages`)).body.data).toEqual([]);
  });

  it.each([{ reason: 7 }, { reason: 'x'.repeat(256) }])('is refused with an invalid reason', async (body) => {
    const created = await create(newThread());
    expect((await end(created.body.id, body)).status).toBe(400);
    expect((await get(created.body.id)).body.status).toBe('active');
  });
});

describe('a conversation nobody has', () => {
  it.each([UNKNOWN, 'conv_1', 'msg_01J9Z3K8Q4T6V8X0A2C4E6G8J0', '%00', '..%2f'])('%s is missing', async (id) => {
    const missing = [404, 'invalid_request_error', 'resource_missing', 'id'];
    for (const answer of [
      await get(id),
      await end(id),
      await post(id, 'Hi'),
      await app.api.get(`/v1/conversations/${id}/messages`),
    ]) {
      expect(errorOf(answer)).toEqual(missing);
    }
  });
});

describe('a conversation that is changed', () => {
  const change = (id: string, body: object, headers: Record<string, string> = {}) =>
    app.api.patch(`/v1/conversations/${id}`, body, headers);
  const made = async (body: object = {}) => (await create(newThread(), body)).body.id as string;

  it('is linked with a customer whom it lacked, and has other metadata and another zone', async () => {
    const id = await made({ metadata: { a: 1 } });
    const said = { customer: { phone: '+4915100000077' }, metadata: { b: 2 }, time_zone: 'europe/berlin' };
    const { status, body } = await change(id, said);
    expect([status, body]).toMatchObject([200, { metadata: { b: 2 }, time_zone: 'Europe/Berlin', status: 'active' }]);
    expect((await app.api.get(`/v1/customers/${body.customer_id}`)).body.phone).toBe('+4915100000077');
    expect((await get(id)).body).toEqual(body);
    expect((await app.api.get(`/v1/conversations?customer_id=${body.customer_id}`)).body.data).toEqual([body]);
    expect((await change(id, { time_zone: null, metadata: null, customer: null })).body).toEqual({ ...body, time_zone: null });
    expect((await change(id, said)).body).toEqual(body);
  });

  it('keeps its customer: another is refused, and made for nothing', async () => {
    const id = await made({ customer: { phone: '+4915100000078' } });
    const customerId = (await get(id)).body.customer_id as string;
    const refused = await change(id, { customer: { phone: '+4915100000079' }, time_zone: 'UTC' });
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'customer_already_linked', param: 'customer', existing_id: customerId },
    ]);
    expect((await app.api.get('/v1/customers?phone=%2B4915100000079')).body.data).toEqual([]);
    expect((await get(id)).body.time_zone).toBeNull();
    const same = await change(id, { customer: { phone: '+4915100000078', email: 'linked@example.com' } });
    expect([same.status, same.body.customer_id]).toEqual([200, customerId]);
  });

  it('is unknown to others, refuses what is not valid, and stays as it was once it has ended', async () => {
    const id = await made();
    expect((await change('conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0', {})).status).toBe(404);
    expect((await change(id, { time_zone: 'Berlin' })).body.error).toMatchObject({ code: 'time_range_invalid' });
    expect((await change(id, { customer: { phone: '1' } })).body.error).toMatchObject({ code: 'phone_invalid_format' });
    await app.api.post(`/v1/conversations/${id}/end`, {});
    expect((await change(id, { time_zone: 'UTC' })).body.error).toMatchObject({ code: 'conversation_ended' });
  });

  it('is changed once under a key', async () => {
    const id = await made();
    const key = { 'idempotency-key': `amend-${id}` };
    const first = await change(id, { time_zone: 'UTC' }, key);
    await change(id, { time_zone: 'Asia/Tokyo' });
    expect((await change(id, { time_zone: 'UTC' }, key)).text).toBe(first.text);
    expect((await get(id)).body.time_zone).toBe('Asia/Tokyo');
  });
});
