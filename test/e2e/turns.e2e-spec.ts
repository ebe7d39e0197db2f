import { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel, echo } from './harness/recording-model.js';

const FAILING = () => ({ status: 500, body: '{"error":{"message":"overloaded"}}' });
const HAND_OFF = () => ({
  calls: [{ name: 'hand_off_to_human', args: '{"reason":"stuck","summary":"Help"}' }],
  content: 'A colleague comes.',
});
const ENDING = () => ({ calls: [{ name: 'end_conversation', args: '{"reason":"resolved"}' }], content: 'Bye.' });

let model: RecordingModel;
let app: App;
/** A client of the project with the service's reply window. */
let hasty: Client;
/** A client of a project whose reply window outlasts every spec. */
let patient: Client;
let setWindow: (ms: number) => Promise<Answer>;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, REPLY_WINDOW_MS: '1000' });
  hasty = app.api;
  const admin = await app.admin();
  const project = await admin.post('/admin/v1/projects', { name: 'patient' });
  const path = `/admin/v1/projects/${project.body.id}`;
  setWindow = (ms) => admin.patch(path, { reply_window_ms: ms });
  await setWindow(100_000);
  patient = app.as((await admin.post(`${path}/api_keys`, { name: 'patient' })).body.secret);
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

let count = 0;
const newThread = () => `thread-${++count}`;
const newKey = () => ({ 'idempotency-key': `key-${++count}` });
const transcript = async (client: Client, conversation: string) =>
  (await client.get(`/v1/conversations/${conversation}/messages?limit=100`)).body.data as any[];
const rolesOf = (messages: readonly any[]) => messages.map(({ role }) => role);
const contentsOf = (messages: readonly any[]) => messages.map(({ content }) => content);
const idsIn = ({ body }: Answer) => ({
  conversation: body.error.conversation_id as string,
  message: body.error.message_id as string,
});
const onceInFlight = (count: number) => eventually(async () => expect(await app.requestsInFlight()).toBe(count));
const onceAsked = (text: string) => eventually(() => expect(model.about(text).length).toBeGreaterThan(0));
const onceStored = (client: Client, thread: string) =>
  eventually(async () => {
    const { body } = await client.get(`/v1/conversations?external_id=${thread}`);
    expect(body.data).toHaveLength(1);
    return body.data[0].id as string;
  });
/** Retries a message under its key, as clients do, until it is answered. */
const untilAnswered = (client: Client, thread: string, content: string, key: Record<string, string>) =>
  eventually(async () => {
    const answer = await client.say(thread, content, {}, key);
    expect([409, 502, 504]).not.toContain(answer.status);
    return answer;
  });

describe('messages posted at once', () => {
  it.each(['by thread', 'by id'])('%s are answered one after the other', async (way) => {
    const thread = newThread();
    const { body } = await patient.post('/v1/conversations', { external_id: thread });
    const say = (content: string) =>
      way === 'by id' ? patient.post(`/v1/conversations/${body.id}/messages`, { content }) : patient.say(thread, content);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => say(`Message ${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const messages = await transcript(patient, body.id);
    expect(rolesOf(messages)).toEqual(answers.flatMap(() => ['user', 'assistant']));
    for (let turn = 0; turn < messages.length; turn += 2) {
      const answer = answers.find((one) => one.body.id === messages[turn].id);
      expect(messages[turn + 1]).toMatchObject({ in_reply_to: messages[turn].id, id: answer?.body.reply.id });
      expect(messages[turn + 1].content).toBe(`Echo: ${messages[turn].content}`);
    }
    expect(messages.map(({ created_at }) => created_at)).toEqual(messages.map(({ created_at }) => created_at).toSorted());
  });

  it('keep the order in which they came', async () => {
    const thread = newThread();
    const release = model.hold();
    const posts = [patient.say(thread, 'First of all')];
    await onceAsked('First of all');
    for (const word of ['second', 'third', 'fourth']) {
      posts.push(patient.say(thread, word));
      await onceInFlight(posts.length);
    }
    release();
    const [first] = await Promise.all(posts);
    const said = contentsOf(await transcript(patient, first?.body.conversation_id)).filter((_, index) => index % 2 === 0);
    expect(said).toEqual(['First of all', 'second', 'third', 'fourth']);
  });

  it('to different threads do not wait for each other', async () => {
    const release = model.hold();
    const held = patient.say(newThread(), 'Hold this');
    await onceAsked('Hold this');
    model.answering = echo;
    expect((await patient.say(newThread(), 'Pass')).status).toBe(200);
    release();
    expect((await held).status).toBe(200);
  });
});

describe('a window that ends before the reply', () => {
  it('is answered 504 with the ids, and the reply comes later: in the transcript and under the same key', async () => {
    const [thread, key] = [newThread(), newKey()];
    const release = model.hold();
    const late = await hasty.say(thread, 'Slowly please', {}, key);
    expect(errorOf(late)).toEqual([504, 'api_error', 'reply_timeout']);
    expect(late.headers.get('retry-after')).toBe('2');
    expect(late.headers.get('service-should-retry')).toBe('true');
    const { conversation, message } = idsIn(late);
    expect((await transcript(hasty, conversation)).map(({ id }) => id)).toEqual([message]);
    const again = await hasty.say(thread, 'Slowly please', {}, key);
    expect([again.status, idsIn(again)]).toEqual([504, { conversation, message }]);
    release();
    const answered = await untilAnswered(hasty, thread, 'Slowly please', key);
    expect(answered.body).toMatchObject({
      id: message,
      conversation_id: conversation,
      reply: { content: 'Echo: Slowly please' },
    });
    const messages = await transcript(hasty, conversation);
    expect(messages.map(({ id }) => id)).toEqual([message, answered.body.reply.id]);
    expect((await hasty.say(thread, 'Slowly please', {}, key)).text).toBe(answered.text);
    expect(model.only('Slowly please').last).toBe('Slowly please');
  });

  it('lets the next message go on, and takes the late reply where it comes', async () => {
    const thread = newThread();
    const release = model.hold();
    const late = await hasty.say(thread, 'Late one');
    const { conversation, message } = idsIn(late);
    model.answering = echo;
    const key = newKey();
    const next = await untilAnswered(hasty, thread, 'Next one', key);
    expect(next.body.conversation_id).toBe(conversation);
    release();
    const messages = await eventually(async () => {
      const found = await transcript(hasty, conversation);
      expect(found).toHaveLength(4);
      return found;
    });
    expect(contentsOf(messages)).toEqual(['Late one', 'Next one', 'Echo: Next one', 'Echo: Late one']);
    expect(messages[3].in_reply_to).toBe(message);
  });

  it('leaves a late hand-off to be seen in the conversation', async () => {
    const release = model.hold();
    const { conversation } = idsIn(await hasty.say(newThread(), 'Hand me over, late'));
    release(HAND_OFF);
    const shown = await eventually(async () => {
      const { body } = await hasty.get(`/v1/conversations/${conversation}`);
      expect(body.status).toBe('handed_off');
      return body;
    });
    const [, reply] = await transcript(hasty, conversation);
    expect(reply.actions).toEqual([expect.objectContaining({ type: 'handoff', reason: 'stuck', summary: 'Help' })]);
    expect(shown.last_message_at).toBe(reply.created_at);
  });

  it('keeps a reply that comes after the end, which stays the end', async () => {
    const release = model.hold();
    const { conversation } = idsIn(await hasty.say(newThread(), 'Too late'));
    const ended = await hasty.post(`/v1/conversations/${conversation}/end`);
    release(HAND_OFF);
    await eventually(async () => expect(await transcript(hasty, conversation)).toHaveLength(2));
    const { body } = await hasty.get(`/v1/conversations/${conversation}`);
    expect(body).toMatchObject({ status: 'ended', end_reason: 'explicit', ended_at: ended.body.ended_at, handed_off_at: null });
  });
});

describe('a message that waits for its turn', () => {
  it.each([
    ['by thread', 'handed off', HAND_OFF, 'conversation_handed_off'],
    ['by id', 'handed off', HAND_OFF, 'conversation_handed_off'],
    ['by id', 'ended', ENDING, 'conversation_ended'],
  ])('%s is refused and not stored when the conversation is %s before it', async (way, _what, answering, code) => {
    const thread = newThread();
    const opening = `Opening of ${thread}`;
    const release = model.hold();
    const first = patient.say(thread, opening);
    await onceAsked(opening);
    const id = await onceStored(patient, thread);
    const waiting =
      way === 'by id' ? patient.post(`/v1/conversations/${id}/messages`, { content: 'Me too' }) : patient.say(thread, 'Me too');
    await onceInFlight(2);
    release(answering);
    expect((await first).status).toBe(200);
    const refused = await waiting;
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', code]);
    expect(refused.body.error.conversation_id).toBe(id);
    expect(contentsOf(await transcript(patient, id))).not.toContain('Me too');
  });

  it('by thread gets a new conversation when the one before it was ended', async () => {
    const thread = newThread();
    const release = model.hold();
    const first = patient.say(thread, 'Last words');
    await onceAsked('Last words');
    const waiting = patient.say(thread, 'First words', { metadata: { fresh: true } });
    await onceInFlight(2);
    release((asked) => (asked.last === 'Last words' ? ENDING() : echo(asked)));
    const [ended, fresh] = await Promise.all([first, waiting]);
    expect([ended.body.conversation.status, fresh.status, fresh.body.conversation.status]).toEqual(['ended', 200, 'active']);
    expect(fresh.body.conversation_id).not.toBe(ended.body.conversation_id);
    expect(fresh.body.conversation.metadata).toEqual({ fresh: true });
    expect(await transcript(patient, fresh.body.conversation_id)).toHaveLength(2);
  });

  it('is named by its 504 though it is not stored, and its key learns when it is refused', async () => {
    const [thread, key] = [newThread(), newKey()];
    const release = model.hold();
    const first = patient.say(thread, 'Before it');
    await onceAsked('Before it');
    const id = await onceStored(patient, thread);
    await setWindow(1_000);
    const late = await patient.say(thread, 'Behind it', {}, key);
    await setWindow(100_000);
    expect(errorOf(late)).toEqual([504, 'api_error', 'reply_timeout']);
    expect(idsIn(late)).toEqual({ conversation: id, message: expect.stringMatching(/^msg_/) });
    expect(await transcript(patient, id)).toHaveLength(1);
    release(HAND_OFF);
    await first;
    const refused = await eventually(async () => {
      const answer = await patient.say(thread, 'Behind it', {}, key);
      expect(answer.status).toBe(409);
      return answer;
    });
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'conversation_handed_off']);
    expect(await transcript(patient, id)).toHaveLength(2);
  });
});

describe('an agent that fails', () => {
  it('is 502 with the ids of the stored message, and the same key asks again for it', async () => {
    const [thread, key] = [newThread(), newKey()];
    model.answering = FAILING;
    const failed = await patient.say(thread, 'Please answer', {}, key);
    expect(errorOf(failed)).toEqual([502, 'api_error', 'agent_unavailable']);
    expect(failed.headers.get('service-should-retry')).toBe('true');
    const { conversation, message } = idsIn(failed);
    expect((await transcript(patient, conversation)).map(({ id }) => id)).toEqual([message]);
    expect((await patient.say(thread, 'Please answer', {}, key)).status).toBe(502);
    model.answering = echo;
    const answered = await patient.say(thread, 'Please answer', {}, key);
    expect([answered.status, answered.body.id, answered.body.conversation_id]).toEqual([200, message, conversation]);
    expect(await transcript(patient, conversation)).toHaveLength(2);
    expect(model.about('Please answer')).toHaveLength(3);
  });

  it('is in the log with the message, the conversation, the cause and each request that asked', async () => {
    const [thread, key] = [newThread(), newKey()];
    model.answering = FAILING;
    const failed = await patient.say(thread, 'Why not?', {}, key);
    const again = await patient.say(thread, 'Why not?', {}, key);
    const { conversation, message } = idsIn(failed);
    const told = () => app.stderr.split('\n').filter((line) => line.includes(`no reply to ${message}`));
    await eventually(() => expect(told()).toHaveLength(2));
    const line = {
      component: 'TurnRunner',
      msg: `no reply to ${message} in ${conversation}: The model server answered with HTTP 500.`,
    };
    const requests = [failed, again].map(({ headers }) => ({ ...line, request_id: headers.get('request-id') }));
    expect(told().map((text) => JSON.parse(text))).toMatchObject(requests);
  });

  it('is asked for the message of the key, whatever was said after it', async () => {
    const [thread, key] = [newThread(), newKey()];
    model.answering = FAILING;
    await patient.say(thread, 'First question', {}, key);
    await patient.say(thread, 'Second question');
    model.answering = echo;
    const answered = await patient.say(thread, 'First question', {}, key);
    expect([answered.status, answered.body.reply.content]).toEqual([200, 'Echo: First question']);
  });

  it('is asked about a new message when the client sends one without a key', async () => {
    const thread = newThread();
    model.answering = FAILING;
    const { conversation, message } = idsIn(await patient.say(thread, 'Once'));
    model.answering = echo;
    const answered = await patient.say(thread, 'Twice');
    expect([answered.status, answered.body.conversation_id]).toEqual([200, conversation]);
    expect(answered.body.id).not.toBe(message);
    expect(contentsOf(await transcript(patient, conversation))).toEqual(['Once', 'Twice', 'Echo: Twice']);
  });
});
