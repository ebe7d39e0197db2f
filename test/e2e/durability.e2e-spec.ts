import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { RecordingModel, echo } from './harness/recording-model.js';
import { takenOver } from './harness/taken-over.js';

jest.setTimeout(180_000);

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, REPLY_WINDOW_MS: '100000' });
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

let count = 0;
const handingOff = {
  content: 'I fetch somebody.',
  calls: [{ name: 'hand_off_to_human', args: '{"reason":"stuck","summary":"Help"}' }],
};
const newThread = () => `thread-${++count}`;
const newKey = () => ({ 'idempotency-key': `key-${++count}` });
const transcript = async (id: string) => (await app.api.get(`/v1/conversations/${id}/messages?limit=100`)).body.data as any[];
const conversationOf = async (thread: string) =>
  (await app.api.get(`/v1/conversations?external_id=${thread}`)).body.data[0]?.id as string;
const onceAsked = (text: string, times = 1) => eventually(() => expect(model.about(text).length).toBeGreaterThanOrEqual(times));
/** A cut connection counts as no answer. */
const orNull = (answer: Promise<Answer>) => answer.catch(() => null);

interface Sent {
  readonly thread: string;
  readonly content: string;
  readonly key: Record<string, string>;
  readonly answer: Answer | null;
}

/** Posts messages to a thread until the service is down. */
async function talk(thread: string, onAnswer: () => void): Promise<Sent[]> {
  const all: Sent[] = [];
  for (;;) {
    const [content, key] = [`Message ${++count}`, newKey()];
    const answer = await orNull(app.api.say(thread, content, {}, key));
    all.push({ thread, content, key, answer });
    if (!answer) return all;
    onAnswer();
  }
}

/** Posts to all threads concurrently, kills the service after this many answers, and waits until all posting has stopped. */
async function talkUntilKilled(threads: readonly string[], answers: number): Promise<Sent[]> {
  let left = answers;
  let isEnough = () => {};
  const enough = new Promise<void>((resolve) => (isEnough = resolve));
  const talks = threads.map((thread) => talk(thread, () => --left === 0 && isEnough()));
  await enough;
  await app.kill();
  return (await Promise.all(talks)).flat();
}

/** Repeats what was sent to a thread, in its order: each answer that there was comes again. */
async function sayAgain(all: readonly Sent[]): Promise<Sent[]> {
  const again: Sent[] = [];
  for (const { thread, content, key, answer } of all) {
    const repeated = await takenOver(() => app.api.say(thread, content, {}, key));
    expect([content, repeated.status]).toEqual([content, 200]);
    if (answer) expect(repeated.text).toBe(answer.text);
    again.push({ thread, content, key, answer: repeated });
  }
  return again;
}

describe('kill -9', () => {
  it('under load, again and again, loses nothing that was acknowledged and doubles nothing', async () => {
    const threads = Array.from({ length: 6 }, newThread);
    const everything: Sent[] = [];
    for (const answers of [200, 60, 400, 1]) {
      const sent = await talkUntilKilled(threads, answers);
      await app.restart();
      const inThreads = threads.map((thread) => sayAgain(sent.filter((each) => each.thread === thread)));
      everything.push(...(await Promise.all(inThreads)).flat());
    }
    expect(everything.some(({ answer }) => answer?.headers.get('idempotent-replayed') === 'true')).toBe(true);
    for (const thread of threads) {
      const { data } = (await app.api.get(`/v1/conversations?external_id=${thread}`)).body;
      expect(data).toHaveLength(1);
      const answers = everything.filter((sent) => sent.thread === thread).map(({ answer }) => answer?.body);
      const expected = answers.flatMap(({ id, reply }) => [id, reply.id]);
      expect((await everyMessage(data[0].id)).toSorted()).toEqual(expected.toSorted());
    }
  });

  it('leaves a turn open that gets its reply within 10 seconds of the next start, unasked', async () => {
    const thread = newThread();
    model.hold();
    const waiting = orNull(app.api.say(thread, 'Do not forget me'));
    await onceAsked('Do not forget me');
    const id = await eventually(async () => {
      const found = await conversationOf(thread);
      expect(found).toMatch(/^conv_/);
      return found;
    });
    await app.kill();
    expect(await waiting).toBeNull();
    model.answering = echo;
    await app.restart();
    const startedAt = Date.now();
    const messages = await eventually(async () => {
      const found = await transcript(id);
      expect(found).toHaveLength(2);
      return found;
    });
    expect(messages[1]).toMatchObject({ content: 'Echo: Do not forget me', in_reply_to: messages[0].id });
    expect(Date.parse(messages[1].created_at) - startedAt).toBeLessThan(10_000);
    expect(model.about('Do not forget me')).toHaveLength(2);
  });

  it('during a turn lets the retry under the same key get the reply to the same message, once', async () => {
    const [thread, key] = [newThread(), newKey()];
    model.hold();
    const waiting = orNull(app.api.say(thread, 'I will be back', {}, key));
    await onceAsked('I will be back');
    await app.kill();
    await waiting;
    model.answering = echo;
    await app.restart();
    const again = await takenOver(() => app.api.say(thread, 'I will be back', {}, key));
    expect([again.status, again.body.reply.content]).toEqual([200, 'Echo: I will be back']);
    expect((await transcript(again.body.conversation_id)).map(({ id }) => id)).toEqual([again.body.id, again.body.reply.id]);
  });

  it('during a turn lets the retry get its reply also when the conversation has ended meanwhile', async () => {
    const [thread, key] = [newThread(), newKey()];
    const id = (await app.api.say(thread, 'Hello')).body.conversation_id as string;
    model.hold();
    const waiting = orNull(app.api.say(thread, 'One last thing', {}, key));
    await onceAsked('One last thing');
    await app.kill();
    await waiting;
    model.answering = echo;
    await app.restart();
    await eventually(async () => expect(await transcript(id)).toHaveLength(4));
    await app.api.post(`/v1/conversations/${id}/end`);
    const again = await app.api.say(thread, 'One last thing', {}, key);
    expect([again.status, again.body.conversation_id, again.body.reply?.content]).toEqual([200, id, 'Echo: One last thing']);
    expect(await transcript(id)).toHaveLength(4);
  });

  it('changes no stored answer by a byte, whatever it was', async () => {
    const thread = newThread();
    const requests: [string, string, object][] = [
      ['POST', '/v1/conversations', { external_id: thread, metadata: { 2: 'b', 1: 'a' }, customer: { phone: '+4915100000001' } }],
      ['POST', '/v1/conversations', { external_id: thread }],
      ['POST', '/v1/messages', { external_conversation_id: thread, content: 'Hello' }],
      ['POST', '/v1/customers', { email: 'stored@example.com' }],
      ['POST', '/v1/conversations/conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0/end', {}],
    ];
    const answers: { headers: Record<string, string>; answer: Answer }[] = [];
    for (const [method, path, body] of requests) {
      const headers = newKey();
      answers.push({ headers, answer: await app.api.send(method, path, body, headers) });
    }
    expect(answers.map(({ answer }) => answer.status)).toEqual([201, 409, 200, 201, 404]);
    await app.kill();
    await app.restart();
    for (const [index, [method, path, body]] of requests.entries()) {
      const { headers, answer } = answers[index]!;
      const again = await app.api.send(method, path, body, headers);
      expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([answer.status, answer.text, 'true']);
    }
  });

  it('leaves live threads taken, ended ones free and deleted customers deleted', async () => {
    const [live, ended] = [newThread(), newThread()];
    const kept = await app.api.post('/v1/conversations', { external_id: live });
    const over = await app.api.post('/v1/conversations', { external_id: ended, customer: { phone: '+4915100000002' } });
    await app.api.post(`/v1/conversations/${over.body.id}/end`);
    await app.api.delete(`/v1/customers/${over.body.customer_id}`);
    await app.kill();
    await app.restart();
    expect((await app.api.post('/v1/conversations', { external_id: live })).body.error.existing_id).toBe(kept.body.id);
    expect((await app.api.post('/v1/conversations', { external_id: ended })).status).toBe(201);
    expect((await app.api.get(`/v1/customers/${over.body.customer_id}`)).body.deleted).toBe(true);
    expect((await app.api.post('/v1/customers', { phone: '+4915100000002' })).status).toBe(201);
  });
});

describe('SIGTERM', () => {
  it('lets an open window be answered, then the process exits with 0', async () => {
    const release = model.hold();
    const waiting = app.api.say(newThread(), 'Before you go');
    await onceAsked('Before you go');
    const exit = app.stop();
    await eventually(() => expect(fetch(`${app.url}/health`)).rejects.toThrow('fetch failed'));
    release();
    const answer = await waiting;
    expect([answer.status, answer.body.reply.content]).toEqual([200, 'Echo: Before you go']);
    expect(await exit).toBe(0);
    await app.restart();
    expect(await transcript(answer.body.conversation_id)).toHaveLength(2);
  });

  it('answers 504 after twenty seconds, also what waits for its turn: the next start replies to all in turn, up to a hand-off', async () => {
    const release = model.hold();
    const thread = newThread();
    const first = app.api.say(thread, 'The first');
    await onceAsked('The first');
    const second = app.api.say(thread, 'The second');
    await eventually(async () => expect(await app.requestsInFlight()).toBe(2));
    const third = app.api.say(thread, 'The third');
    await eventually(async () => expect(await app.requestsInFlight()).toBe(3));
    expect(await app.stop()).toBe(0);
    const answers = await Promise.all([first, second, third]);
    expect(answers.map(({ status }) => status)).toEqual([504, 504, 504]);
    release();
    model.answering = (request) => (request.last === 'The second' ? handingOff : echo(request));
    await app.restart();
    const told = answers.map(({ body }) => body.error);
    await eventually(async () => expect(await transcript(told[0].conversation_id)).toHaveLength(5));
    const said = await transcript(told[0].conversation_id);
    const users = said.filter(({ role }) => role === 'user');
    expect(users.map(({ content }) => content)).toEqual(['The first', 'The second', 'The third']);
    expect(users.map(({ id }) => id)).toEqual(told.map(({ message_id: id }) => id));
    const replies = said.filter(({ role }) => role === 'assistant');
    expect(replies.map(({ in_reply_to: id }) => id)).toEqual(users.slice(0, 2).map(({ id }) => id));
  });
});

async function everyMessage(conversation: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | null = ''; next !== null;) {
    const after: string = next === '' ? '' : `&starting_after=${next}`;
    const { body }: Answer = await app.api.get(`/v1/conversations/${conversation}/messages?limit=100${after}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    next = body.next_cursor;
  }
  return ids;
}
