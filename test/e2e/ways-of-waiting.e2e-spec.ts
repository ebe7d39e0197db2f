import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel, echo } from './harness/recording-model.js';

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, REPLY_WINDOW_MS: '20000' });
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

let count = 0;
const newThread = () => `waiting-${++count}`;
const newKey = () => ({ 'idempotency-key': `waiting-key-${++count}` });
const ASYNC = { prefer: 'respond-async' };
const message = ({ body }: Answer, query = '') =>
  app.api.get(`/v1/conversations/${body.conversation_id}/messages/${body.id}${query}`);
const transcript = async ({ body }: Answer) =>
  (await app.api.get(`/v1/conversations/${body.conversation_id}/messages?limit=100`)).body.data as any[];
const onceAsked = (text: string) => eventually(() => expect(model.about(text).length).toBeGreaterThan(0));

describe('a post that does not wait', () => {
  it('is answered 202 at once, and its reply is found by its id', async () => {
    const release = model.hold();
    const posted = await app.api.say(newThread(), 'Hello', {}, ASYNC);
    expect([posted.status, posted.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    expect(posted.body).toMatchObject({
      object: 'message',
      content: 'Hello',
      reply: null,
      reply_status: 'pending',
      conversation: { status: 'active', id: posted.body.conversation_id },
    });
    expect((await message(posted)).body).toMatchObject({ id: posted.body.id, reply: null, reply_status: 'pending' });
    const waiting = message(posted, '?wait=30');
    release();
    const { body } = await waiting;
    expect(body).toMatchObject({ reply_status: 'completed', reply: { content: 'Echo: Hello' }, author: { type: 'user' } });
    expect(body.conversation.last_message_at).toBe(body.reply.created_at);
  });

  it('by the id of its conversation is answered likewise', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const posted = await app.api.post(`/v1/conversations/${body.id}/messages`, { content: 'Hello' }, ASYNC);
    expect([posted.status, posted.body.reply_status]).toEqual([202, 'pending']);
    expect((await message(posted, '?wait=30')).body.reply.content).toBe('Echo: Hello');
  });

  it.each(['respond-async', 'wait=0', 'wait=5'])(
    'hears that a human keeps it, where one has the conversation: %s',
    async (prefer) => {
      const { body } = await app.api.post('/v1/conversations', {});
      await app.api.post(`/v1/conversations/${body.id}/handoff`, {});
      const kept = { content: 'Hello', when_handed_off: 'store' };
      const posted = await app.api.post(`/v1/conversations/${body.id}/messages`, kept, { prefer });
      expect([posted.status, posted.headers.get('preference-applied')]).toEqual([200, prefer]);
      expect(posted.body).toMatchObject({ content: 'Hello', reply: null, reply_status: 'not_expected' });
    },
  );

  it('is queued behind an open turn, at most eight, and answered in order', async () => {
    const release = model.hold();
    const thread = newThread();
    const first = app.api.say(thread, 'first');
    await onceAsked('first');
    const queued: Answer[] = [];
    for (let n = 0; n < 8; n++) queued.push(await app.api.say(thread, `next ${n}`, {}, ASYNC));
    expect(queued.map(({ status, body }) => [status, body.reply_status])).toEqual(Array(8).fill([202, 'queued']));
    expect((await message(queued[7]!)).body.reply_status).toBe('queued');
    const refused = await app.api.say(thread, 'one too many', {}, ASYNC);
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'conversation_busy']);
    release();
    expect((await first).body.reply.content).toBe('Echo: first');
    expect((await message(queued[7]!, '?wait=60')).body.reply.content).toBe('Echo: next 7');
    expect(model.asked.slice(-9).map(({ last }) => last)).toEqual(['first', ...queued.map((_, n) => `next ${n}`)]);
    // What was said meanwhile stands before the message that the agent answers.
    expect(
      model
        .only('next 1')
        .messages.slice(-3)
        .map(({ content }) => content),
    ).toEqual(['next 0', 'Echo: next 0', 'next 1']);
  });

  it('that is queued fails when the conversation is closed before its turn, and stays in the transcript', async () => {
    for (const [how, code] of [
      ['end', 'conversation_ended'],
      ['handoff', 'conversation_handed_off'],
    ] as const) {
      const release = model.hold();
      const thread = newThread();
      const first = app.api.say(thread, `before ${how}`);
      await onceAsked(`before ${how}`);
      const key = newKey();
      const queued = await app.api.say(thread, 'too late', {}, { ...ASYNC, ...key });
      const waiting = message(queued, '?wait=30');
      expect((await app.api.post(`/v1/conversations/${queued.body.conversation_id}/${how}`, {})).status).toBe(200);
      expect((await waiting).body).toMatchObject({ reply: null, reply_status: 'failed', error: { code } });
      expect(errorOf(await app.api.say(thread, 'too late', {}, key))).toEqual([409, 'invalid_request_error', code]);
      release();
      await first;
      expect((await transcript(queued)).map(({ content }) => content)).toEqual([
        `before ${how}`,
        'too late',
        `Echo: before ${how}`,
      ]);
    }
  });
});

describe('a post that waits for a while', () => {
  it('is answered 200 if the reply comes in time', async () => {
    const posted = await app.api.say(newThread(), 'Hello', {}, { prefer: 'wait=10' });
    expect([posted.status, posted.headers.get('preference-applied')]).toEqual([200, 'wait=10']);
    expect(posted.body.reply.content).toBe('Echo: Hello');
  });

  it('is answered 202 if it does not, and goes on', async () => {
    const release = model.hold();
    const posted = await app.api.say(newThread(), 'Hello', {}, { prefer: 'wait=1' });
    expect([posted.status, posted.headers.get('preference-applied'), posted.body.reply_status]).toEqual([
      202,
      'wait=1',
      'pending',
    ]);
    release();
    expect((await message(posted, '?wait=30')).body.reply.content).toBe('Echo: Hello');
  });

  it('in a queue is stored as queued before it is answered', async () => {
    const release = model.hold();
    const thread = newThread();
    const first = app.api.say(thread, 'before the patient one');
    await onceAsked('before the patient one');
    const posted = await app.api.say(thread, 'patient', {}, { prefer: 'wait=1' });
    expect([posted.status, posted.body.reply_status]).toEqual([202, 'queued']);
    release();
    await first;
    expect((await message(posted, '?wait=30')).body.reply.content).toBe('Echo: patient');
  });

  it.each(['wait=soon', 'return=minimal', ''])('is a synchronous one with %p', async (prefer) => {
    const posted = await app.api.say(newThread(), 'Hello', {}, { prefer });
    expect([posted.status, posted.headers.get('preference-applied')]).toEqual([200, null]);
  });
});

describe('a message by its id', () => {
  it('is the item of the transcript, also of a reply', async () => {
    const posted = await app.api.say(newThread(), 'Hello');
    const [asked, reply] = await transcript(posted);
    expect((await message(posted)).body).toMatchObject(asked);
    expect((await app.api.get(`/v1/conversations/${reply.conversation_id}/messages/${reply.id}?wait=9`)).body).toEqual(reply);
  });

  it('that got no reply says why', async () => {
    model.answering = () => ({ status: 500, body: '{}' });
    const key = newKey();
    const thread = newThread();
    const { error: refused } = (await app.api.say(thread, 'Hello', {}, key)).body;
    const path = `/v1/conversations/${refused.conversation_id}/messages/${refused.message_id}`;
    expect((await app.api.get(`${path}?wait=5`)).body).toMatchObject({
      reply: null,
      reply_status: 'failed',
      error: { type: 'api_error', code: 'agent_unavailable', message: expect.any(String) },
    });
    model.answering = echo;
    const again = await app.api.say(thread, 'Hello', {}, key);
    expect((await app.api.get(path)).body).toMatchObject({ reply_status: 'completed', reply: again.body.reply });
  });

  it('waits as long as it is told to', async () => {
    const release = model.hold();
    const posted = await app.api.say(newThread(), 'Hello', {}, ASYNC);
    const from = performance.now();
    expect((await message(posted, '?wait=1')).body.reply_status).toBe('pending');
    expect(performance.now() - from).toBeGreaterThan(900);
    release();
  });

  it.each(['soon', '1.5', ''])('does not wait for %p', async (wait) => {
    const posted = await app.api.say(newThread(), 'Hello');
    expect(errorOf(await message(posted, `?wait=${wait}`))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'wait']);
  });

  it('of another conversation, another project or of nobody is missing', async () => {
    const [one, other] = [await app.api.say(newThread(), 'Hello'), await app.api.say(newThread(), 'Hello')];
    const foreign = await app.otherProject();
    for (const [client, conversation, id] of [
      [app.api, other.body.conversation_id, one.body.id],
      [app.api, one.body.conversation_id, 'msg_nothing'],
      [foreign, one.body.conversation_id, one.body.id],
    ] as const)
      for (const tail of ['', '?wait=9', '/stream'])
        expect(errorOf(await client.get(`/v1/conversations/${conversation}/messages/${id}${tail}`)).slice(0, 3)).toEqual([
          404,
          'invalid_request_error',
          'resource_missing',
        ]);
  });
});

describe('requests with one key, each in its own way', () => {
  it('join one message while it is under way: one message, one reply, the same bytes', async () => {
    const release = model.hold();
    const [thread, key] = [newThread(), newKey()];
    const say = (headers: object = {}) => app.api.say(thread, 'one message', {}, { ...key, ...headers });
    const synchronous = [say(), say()];
    await onceAsked('one message');
    const accepted = await say(ASYNC);
    const hasty = await say({ prefer: 'wait=1' });
    expect([accepted.status, hasty.status, hasty.body.id]).toEqual([202, 202, accepted.body.id]);
    const byId = message(accepted, '?wait=30');
    const bounded = say({ prefer: 'wait=15' });
    release();
    const answers = await Promise.all([...synchronous, bounded, byId]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.reply))).size).toBe(1);
    const again = await say();
    expect([again.headers.get('idempotent-replayed'), again.body.reply]).toEqual(['true', answers[0]!.body.reply]);
    expect(await transcript(again)).toHaveLength(2);
    expect(model.about('one message')).toHaveLength(1);
  });

  it('get the reply that came after a 202, and keep it', async () => {
    const [thread, key] = [newThread(), newKey()];
    const accepted = await app.api.say(thread, 'later', {}, { ...key, ...ASYNC });
    expect(accepted.status).toBe(202);
    await message(accepted, '?wait=30');
    const first = await app.api.say(thread, 'later', {}, key);
    const second = await app.api.say(thread, 'later', {}, { ...key, ...ASYNC });
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('get the reply once a look by id has told it, also where they would not wait for it', async () => {
    const [thread, key] = [newThread(), newKey()];
    const accepted = await app.api.say(thread, 'told already', {}, { ...key, ...ASYNC });
    const { reply } = (await message(accepted, '?wait=30')).body;
    const again = await app.api.say(thread, 'told already', {}, { ...key, ...ASYNC });
    expect([again.status, again.body.reply, again.body.reply_status]).toEqual([200, reply, undefined]);
  });

  it('of another body are refused, also while it is under way', async () => {
    const release = model.hold();
    const [thread, key] = [newThread(), newKey()];
    await app.api.say(thread, 'mine', {}, { ...key, ...ASYNC });
    const other = await app.api.say(thread, 'another', {}, { ...key, ...ASYNC });
    expect(errorOf(other)).toEqual([422, 'idempotency_error', 'idempotency_key_reused']);
    release();
  });

  it('find the message that was stored before the process was killed', async () => {
    const release = model.hold();
    const [thread, key] = [newThread(), newKey()];
    const accepted = await app.api.say(thread, 'before the kill', {}, { ...key, ...ASYNC });
    const queued = await app.api.say(thread, 'queued before the kill', {}, ASYNC);
    await onceAsked('before the kill');
    await app.kill();
    release();
    await app.restart();
    const again = await eventually(async () => {
      const answer = await app.api.say(thread, 'before the kill', {}, key);
      expect(answer.status).toBe(200);
      return answer;
    });
    expect([again.body.id, again.body.reply.content]).toEqual([accepted.body.id, 'Echo: before the kill']);
    expect((await message(queued, '?wait=60')).body.reply.content).toBe('Echo: queued before the kill');
    expect(await transcript(again)).toHaveLength(4);
  });
});
