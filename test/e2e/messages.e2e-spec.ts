import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

let count = 0;
const newThread = () => `thread-${++count}`;
const newPhone = () => `+49151${1_000_000 + ++count}`;
const post = (id: string, body: object) => app.api.post(`/v1/conversations/${id}/messages`, body);
const transcript = (id: string, query = '') => app.api.get(`/v1/conversations/${id}/messages${query}`);
const idsOf = ({ body }: Answer) => (body.data as { id: string }[]).map(({ id }) => id);
const customersWith = async (phone: string) => (await app.api.get(`/v1/customers?phone=${encodeURIComponent(phone)}`)).body.data;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`));

/** All members of a sent message. */
function sent(content: string, thread: string | null) {
  return {
    id: id('msg'),
    object: 'message',
    role: 'user',
    content,
    created_at: expect.stringMatching(TIME),
    conversation_id: id('conv'),
    reply: {
      id: id('msg'),
      object: 'message',
      role: 'assistant',
      content: expect.stringMatching(/./),
      created_at: expect.stringMatching(TIME),
      actions: [],
    },
    conversation: {
      id: id('conv'),
      object: 'conversation',
      status: 'active',
      external_id: thread,
      customer_id: null,
      metadata: {},
      time_zone: null,
      created_at: expect.stringMatching(TIME),
      last_message_at: expect.stringMatching(TIME),
      ended_at: null,
      handed_off_at: null,
      handoff: null,
      end_reason: null,
    },
  };
}

describe('a posted message', () => {
  it('is answered with itself, the reply and the conversation', async () => {
    const thread = newThread();
    const answer = await app.api.say(thread, 'Hello');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(sent('Hello', thread));
    const { conversation, reply } = answer.body;
    expect(conversation.id).toBe(answer.body.conversation_id);
    expect(conversation.last_message_at).toBe(reply.created_at);
    expect((await app.api.get(`/v1/conversations/${conversation.id}`)).body).toEqual(conversation);
  });

  it('by the id of its conversation is answered in the same form', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const answer = await post(body.id, { content: 'Hello' });
    expect([answer.status, answer.body]).toEqual([200, sent('Hello', null)]);
  });

  it('by either way goes to the same conversation', async () => {
    const thread = newThread();
    const { body } = await app.api.say(thread, 'One');
    await post(body.conversation_id, { content: 'Two' });
    await app.api.say(thread, 'Three');
    const { data } = (await transcript(body.conversation_id, '?role=user')).body;
    expect(data.map(({ content }: { content: string }) => content)).toEqual(['One', 'Two', 'Three']);
  });

  it.each([' ', '\n', '  spaced  ', 'a\u0000b', '<b>html</b>', '\\', '"quoted"', '\u200d', 'مرحبا', '😀'])(
    'is kept to the letter: %j',
    async (content) => {
      const { body } = await app.api.say(newThread(), content);
      expect(body.content).toBe(content);
      expect((await transcript(body.conversation_id)).body.data[0].content).toBe(content);
    },
  );

  it('may have 8000 characters, each emoji being one, on either way', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const tooLong = [400, 'invalid_request_error', 'parameter_too_long', 'content'];
    expect((await post(body.id, { content: '😀'.repeat(8000) })).status).toBe(200);
    expect(errorOf(await post(body.id, { content: '😀'.repeat(8001) }))).toEqual(tooLong);
    expect(errorOf(await app.api.say(newThread(), 'x'.repeat(8001)))).toEqual(tooLong);
    expect(idsOf(await transcript(body.id))).toHaveLength(2);
  });

  it.each([
    [{}, 'parameter_missing'],
    [{ content: '' }, 'parameter_missing'],
    [{ content: null }, 'parameter_missing'],
    [{ content: 7 }, 'parameter_invalid'],
    [{ content: ['Hello'] }, 'parameter_invalid'],
    [{ content: '\ud800' }, 'parameter_invalid'],
  ])('of %j is refused and leaves nothing behind', async (body, code) => {
    const thread = newThread();
    const refused = await app.api.post('/v1/messages', { external_conversation_id: thread, ...body });
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', code, 'content']);
    expect((await app.api.get(`/v1/conversations?external_id=${thread}`)).body.data).toEqual([]);
  });

  it.each([undefined, '', null])('needs a thread, which %j is not', async (thread) => {
    const refused = await app.api.post('/v1/messages', { external_conversation_id: thread, content: 'Hello' });
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'parameter_missing', 'external_conversation_id']);
  });

  it.each(['yes', 1, 'false'])('takes no %j for markdown', async (markdown) => {
    expect(errorOf(await app.api.say(newThread(), 'Hello', { markdown }))).toEqual([
      400,
      'invalid_request_error',
      'parameter_invalid',
      'markdown',
    ]);
  });
});

describe('a message that creates its conversation', () => {
  it('gives it its metadata, to the letter', async () => {
    const metadata = '{"2":"b","1":"a","n":12345678901234567890,"f":1.0,"__proto__":{"x":1}}';
    const body = `{"external_conversation_id":"${newThread()}","content":"Hello","metadata":${metadata}}`;
    const answer = await app.api.raw('POST', '/v1/messages', body, { 'content-type': 'application/json' });
    expect([answer.status, answer.text.includes(`"metadata":${metadata},`)]).toEqual([200, true]);
    expect((await app.api.get(`/v1/conversations/${answer.body.conversation_id}`)).text).toContain(`"metadata":${metadata},`);
  });

  it('links its customer, the known one when there is one', async () => {
    const phone = newPhone();
    const { body } = await app.api.say(newThread(), 'Hello', { customer: { phone } });
    const again = await app.api.say(newThread(), 'Hello', { customer: { phone, name: 'Ann' } });
    expect(body.conversation.customer_id).toEqual(id('cust'));
    expect(again.body.conversation.customer_id).toBe(body.conversation.customer_id);
    expect(await customersWith(phone)).toEqual([expect.objectContaining({ id: body.conversation.customer_id, name: 'Ann' })]);
  });
});

describe('a message to a live thread', () => {
  it('changes neither its metadata nor its customer, and makes no customer', async () => {
    const [thread, phone] = [newThread(), newPhone()];
    const first = await app.api.say(thread, 'Hello', { metadata: { a: 1 } });
    const second = await app.api.say(thread, 'Hello', { metadata: { a: 2 }, customer: { phone } });
    expect([second.status, second.body.conversation.id]).toEqual([200, first.body.conversation.id]);
    expect(second.body.conversation).toMatchObject({ metadata: { a: 1 }, customer_id: null });
    expect(await customersWith(phone)).toEqual([]);
  });

  it.each([
    [{ phone: '015112345678' }, ['phone_invalid_format', 'phone']],
    [{ phone: '+0151' }, ['phone_invalid_format', 'phone']],
    [{ phone: '+491511234567890' + '1' }, ['phone_invalid_format', 'phone']],
    [{ email: 'nobody' }, ['email_invalid_format', 'email']],
  ])('has its customer block checked all the same: %j', async (customer, [code, param]) => {
    const thread = newThread();
    const { body } = await app.api.say(thread, 'Hello');
    const refused = await app.api.say(thread, 'Refused', { customer });
    expect(errorOf(refused)).toEqual([400, 'invalid_request_error', code, param]);
    expect(idsOf(await transcript(body.conversation_id))).toEqual([body.id, body.reply.id]);
  });
});

describe('a message to a conversation that was handed off', () => {
  it('is refused by thread and by id, and not stored', async () => {
    const thread = newThread();
    const { body } = await app.api.say(thread, 'I want to talk to a human');
    expect(body.conversation).toMatchObject({ status: 'handed_off', handed_off_at: body.reply.created_at, ended_at: null });
    expect(body.reply.actions).toEqual([
      {
        id: id('act'),
        type: 'handoff',
        reason: 'customer_requested',
        summary: expect.any(String),
        created_at: expect.stringMatching(TIME),
      },
    ]);
    for (const refused of [await app.api.say(thread, 'Hello?'), await post(body.conversation_id, { content: 'Hello?' })]) {
      expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'conversation_handed_off']);
      expect(refused.body.error.conversation_id).toBe(body.conversation_id);
      expect(refused.headers.get('service-should-retry')).toBe('false');
    }
    expect(idsOf(await transcript(body.conversation_id))).toEqual([body.id, body.reply.id]);
  });

  it('starts a new one once that was ended', async () => {
    const thread = newThread();
    const { body } = await app.api.say(thread, 'I want to talk to a human');
    await app.api.post(`/v1/conversations/${body.conversation_id}/end`);
    const next = await app.api.say(thread, 'Hello again');
    expect([next.status, next.body.conversation.status]).toEqual([200, 'active']);
    expect(next.body.conversation_id).not.toBe(body.conversation_id);
    expect((await post(body.conversation_id, { content: 'Hello?' })).body.error.code).toBe('conversation_ended');
  });
});

describe('a transcript', () => {
  it('shows each message with everything about it, oldest first', async () => {
    const { body } = await app.api.say(newThread(), 'I want to talk to a human');
    const { data, ...envelope } = (await transcript(body.conversation_id)).body;
    expect(envelope).toEqual({ object: 'list', has_more: false, next_cursor: null });
    const { reply, conversation_id } = body;
    const common = { object: 'message', conversation_id, attachments: [] };
    expect(data).toEqual([
      {
        ...common,
        id: body.id,
        role: 'user',
        content: body.content,
        created_at: body.created_at,
        in_reply_to: null,
        author: { type: 'user' },
        actions: [],
      },
      { ...common, ...reply, in_reply_to: body.id, author: { type: 'agent' } },
    ]);
  });

  it('is read from either end, by role, in pages and from any message on', async () => {
    const thread = newThread();
    const answers: Answer[] = [];
    for (const content of ['One', 'Two', 'Three']) answers.push(await app.api.say(thread, content));
    const conversation = answers[0]?.body.conversation_id;
    const ids = answers.flatMap(({ body }) => [body.id, body.reply.id]);
    expect(idsOf(await transcript(conversation))).toEqual(ids);
    expect(idsOf(await transcript(conversation, '?order=desc'))).toEqual(ids.toReversed());
    expect(idsOf(await transcript(conversation, '?role=assistant&order=desc'))).toEqual([ids[5], ids[3], ids[1]]);
    const first = await transcript(conversation, '?limit=4');
    expect([idsOf(first), first.body.has_more]).toEqual([ids.slice(0, 4), true]);
    const rest = await transcript(conversation, `?limit=4&starting_after=${first.body.next_cursor}`);
    expect([idsOf(rest), rest.body.has_more, rest.body.next_cursor]).toEqual([ids.slice(4), false, null]);
    expect(idsOf(await transcript(conversation, `?starting_after=${ids[2]}`))).toEqual(ids.slice(3));
    expect(idsOf(await transcript(conversation, `?ending_before=${ids[2]}&limit=1`))).toEqual([ids[1]]);
    expect(idsOf(await transcript(conversation, `?role=user&limit=1&starting_after=${ids[0]}`))).toEqual([ids[2]]);
  });

  it('of a conversation without messages is empty', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    expect((await transcript(body.id)).body).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  });
});
