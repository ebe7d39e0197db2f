import { App } from './harness/app.js';
import { EventReader, type ReadEvent } from './harness/event-reader.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel, echo } from './harness/recording-model.js';

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, REPLY_WINDOW_MS: '20000' });
});
const open: EventReader[] = [];
afterEach(() => {
  model.answering = echo;
  open.splice(0).forEach((reader) => reader.close());
});
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

let count = 0;
const newThread = () => `stream-${++count}`;
const newKey = () => ({ 'idempotency-key': `stream-key-${++count}` });
const kept = (reader: EventReader) => {
  open.push(reader);
  return reader;
};
const say = async (thread: string, content: string, headers: Record<string, string> = {}, more: object = {}) =>
  kept(await EventReader.post(app.api, '/v1/messages', { external_conversation_id: thread, content, ...more }, headers));
const follow = async (conversation: string, message: string, lastEventId?: string) =>
  kept(
    await EventReader.open(
      app.api,
      `/v1/conversations/${conversation}/messages/${message}/stream`,
      lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    ),
  );
const done = (reader: EventReader) => eventually(() => expect(reader.events.at(-1)?.event).toBe('done'));
const names = (events: readonly ReadEvent[]) => events.map(({ event }) => event);
const the = (name: string, { events }: EventReader) => events.find(({ event }) => event === name)?.data;

/** The deltas after the last reset, together. */
function said({ events }: EventReader): string {
  const from = names(events).lastIndexOf('reply.reset');
  return events
    .slice(from + 1)
    .filter(({ event }) => event === 'reply.delta')
    .map(({ data }) => data.delta)
    .join('');
}

describe('a post that is answered with a stream', () => {
  it('tells the message, the reply, and the conversation after it', async () => {
    const reader = await say(newThread(), 'Hello');
    await done(reader);
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream');
    expect(names(reader.events)).toEqual(['message.created', 'reply.delta', 'reply.completed', 'conversation.updated', 'done']);
    const message = the('message.created', reader);
    expect(Object.keys(message)).toEqual(['id', 'object', 'role', 'content', 'created_at', 'conversation_id']);
    expect(said(reader)).toBe('Echo: Hello');
    const { body } = await app.api.get(`/v1/conversations/${message.conversation_id}/messages/${message.id}`);
    expect(the('reply.completed', reader)).toEqual(body.reply);
    expect(the('conversation.updated', reader)).toEqual(body.conversation);
    expect(reader.events.every(({ id }) => id.startsWith(`${message.id}.`))).toBe(true);
    expect(reader.lastId).toMatch(/\.11$/);
    await eventually(() => expect(reader.ended).toBe('properly'));
  });

  it('has its head once the message is stored', async () => {
    const release = model.hold();
    const reader = await say(newThread(), 'Hello');
    await reader.has((events) => expect(names(events)).toEqual(['message.created']));
    release();
    await done(reader);
  });

  it('by the id of its conversation is answered likewise', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const reader = kept(await EventReader.post(app.api, `/v1/conversations/${body.id}/messages`, { content: 'Hello' }));
    await done(reader);
    expect(said(reader)).toBe('Echo: Hello');
  });

  it('is refused with the status that any post is refused with', async () => {
    const { body } = await app.api.say(newThread(), 'Hello');
    await app.api.post(`/v1/conversations/${body.conversation_id}/end`, {});
    const refused = await app.api.post(`/v1/conversations/${body.conversation_id}/messages`, { content: 'x' }, STREAM);
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'conversation_ended']);
    expect((await app.api.say(newThread(), '', {}, STREAM)).status).toBe(400);
    const path = `/v1/conversations/${body.conversation_id}/messages`;
    const keyed = { ...STREAM, ...newKey() };
    const [first, second] = [
      await app.api.post(path, { content: 'x' }, keyed),
      await app.api.post(path, { content: 'x' }, keyed),
    ];
    expect([errorOf(first), second.text, second.headers.get('idempotent-replayed')]).toEqual([
      errorOf(refused),
      first.text,
      'true',
    ]);
  });

  it('tells when the agent could not answer, and the key asks again', async () => {
    model.answering = () => ({ status: 500, body: '{}' });
    const [thread, key] = [newThread(), newKey()];
    const reader = await say(thread, 'Hello', key);
    await done(reader);
    expect(names(reader.events)).toEqual(['message.created', 'conversation.updated', 'error', 'done']);
    expect(the('error', reader).error).toMatchObject({
      code: 'agent_unavailable',
      message_id: the('message.created', reader).id,
    });
    model.answering = echo;
    const again = await say(thread, 'Hello', key);
    await done(again);
    expect([the('message.created', again).id, said(again)]).toEqual([the('message.created', reader).id, 'Echo: Hello']);
  });

  it('waits for its turn as any post, and says so after ten seconds', async () => {
    const release = model.hold();
    const thread = newThread();
    const first = app.api.say(thread, 'first of a line');
    await eventually(() => expect(model.about('first of a line')).toHaveLength(1));
    const from = performance.now();
    const reader = await say(thread, 'second of a line');
    expect(performance.now() - from).toBeGreaterThan(9_900);
    expect(reader.events).toEqual([]);
    release();
    await Promise.all([first, done(reader)]);
    expect(said(reader)).toBe('Echo: second of a line');
  });

  it('keeps under the key that it was refused, also after its head', async () => {
    const release = model.hold();
    const [thread, key] = [newThread(), newKey()];
    const first = app.api.say(thread, 'before the hand-off');
    await eventually(() => expect(model.about('before the hand-off')).toHaveLength(1));
    const reader = await say(thread, 'refused late', key);
    const [{ id }] = (await app.api.get(`/v1/conversations?external_id=${thread}`)).body.data;
    await app.api.post(`/v1/conversations/${id}/handoff`, {});
    release();
    await Promise.all([first, done(reader)]);
    expect(names(reader.events)).toEqual(['error', 'done']);
    await app.api.post(`/v1/conversations/${id}/resume`, {});
    const again = await app.api.say(thread, 'refused late', {}, key);
    expect([again.status, again.body]).toEqual([409, the('error', reader)]);
    expect(['idempotent-replayed', 'service-should-retry'].map((name) => again.headers.get(name))).toEqual(['true', 'false']);
  });

  it('goes on under the key where another broke off', async () => {
    const [thread, key] = [newThread(), newKey()];
    const whole = await say(thread, 'Hello', key);
    await done(whole);
    const [message, run] = whole.lastId.split('.');
    const rest = await say(thread, 'Hello', { ...key, 'last-event-id': `${message}.${run}.7` });
    await done(rest);
    expect(names(rest.events)).toEqual(['reply.delta', 'reply.completed', 'conversation.updated', 'done']);
    expect(said(rest)).toBe('ello');
  });

  it('keeps its reply under the key: another way gets the same bytes, and a stream gets them again', async () => {
    const [thread, key] = [newThread(), newKey()];
    const reader = await say(thread, 'Hello', key);
    await done(reader);
    const plain = await app.api.say(thread, 'Hello', {}, key);
    expect([plain.status, plain.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(plain.body.reply).toEqual(the('reply.completed', reader));
    const again = await say(thread, 'Hello', key);
    await done(again);
    expect(again.response.headers.get('idempotent-replayed')).toBe('true');
    expect([said(again), the('reply.completed', again)]).toEqual(['Echo: Hello', plain.body.reply]);
  });

  it('is joined by others under the key', async () => {
    const release = model.hold();
    const [thread, key] = [newThread(), newKey()];
    const reader = await say(thread, 'joined', key);
    await reader.has((events) => expect(events).toHaveLength(1));
    const [plain, other] = [app.api.say(thread, 'joined', {}, key), say(thread, 'joined', key)];
    await other;
    release();
    const streams = [reader, await other];
    await Promise.all(streams.map(done));
    for (const stream of streams) expect(the('reply.completed', stream)).toEqual((await plain).body.reply);
    expect(model.about('joined')).toHaveLength(1);
  });

  it('without its client is answered all the same, and found by id', async () => {
    const release = model.hold();
    const key = newKey();
    const thread = newThread();
    const reader = await say(thread, 'gone', key);
    await reader.has((events) => expect(events).toHaveLength(1));
    reader.close();
    release();
    const { id, conversation_id: conversation } = the('message.created', reader);
    const { body } = await app.api.get(`/v1/conversations/${conversation}/messages/${id}?wait=30`);
    expect(body.reply.content).toBe('Echo: gone');
    expect((await app.api.say(thread, 'gone', {}, key)).body.reply).toEqual(body.reply);
  });

  it('of a message that is kept for a human has no reply', async () => {
    const { body } = await app.api.say(newThread(), 'Hello');
    await app.api.post(`/v1/conversations/${body.conversation_id}/handoff`, {});
    const path = `/v1/conversations/${body.conversation_id}/messages`;
    const reader = kept(await EventReader.post(app.api, path, { content: 'ok', when_handed_off: 'store' }));
    await done(reader);
    expect(names(reader.events)).toEqual(['message.created', 'conversation.updated', 'done']);
  });
});

const STREAM = { accept: 'text/event-stream' };

describe('a stream of a message by its id', () => {
  it('tells a reply that is there, in one delta', async () => {
    const { body } = await app.api.say(newThread(), 'Hello');
    const reader = await follow(body.conversation_id, body.id);
    await done(reader);
    expect(names(reader.events)).toEqual(['message.created', 'reply.delta', 'reply.completed', 'conversation.updated', 'done']);
    expect(the('reply.completed', reader)).toEqual(body.reply);
  });

  it('goes on where another broke off, in code points', async () => {
    const { body } = await app.api.say(newThread(), '😀😀 Hello');
    const whole = await follow(body.conversation_id, body.id);
    await done(whole);
    const run = whole.lastId.split('.')[1];
    const rest = await follow(body.conversation_id, body.id, `${body.id}.${run}.7`);
    await done(rest);
    expect(names(rest.events)).toEqual(['reply.delta', 'reply.completed', 'conversation.updated', 'done']);
    expect(said(rest)).toBe('😀 Hello');
    const nothing = await follow(body.conversation_id, body.id, whole.lastId);
    await done(nothing);
    expect(names(nothing.events)).toEqual(['reply.completed', 'conversation.updated', 'done']);
  });

  it('begins anew after a reset where another run was read', async () => {
    const { body } = await app.api.say(newThread(), 'Hello');
    const reader = await follow(body.conversation_id, body.id, `${body.id}.another.3`);
    await done(reader);
    expect(names(reader.events)).toEqual(['reply.reset', 'reply.delta', 'reply.completed', 'conversation.updated', 'done']);
    expect(said(reader)).toBe('Echo: Hello');
  });

  it.each(['nonsense', 'msg_1.2', '..', 'x'.repeat(500)])('begins at the beginning after %p', async (lastEventId) => {
    const { body } = await app.api.say(newThread(), 'Hello');
    const reader = await follow(body.conversation_id, body.id, lastEventId);
    await done(reader);
    expect(names(reader.events)[0]).toBe('message.created');
  });

  it('follows a message that was posted without waiting', async () => {
    const release = model.hold();
    const { body } = await app.api.say(newThread(), 'Hello', {}, { prefer: 'respond-async' });
    const reader = await follow(body.conversation_id, body.id);
    await reader.has((events) => expect(events).toHaveLength(1));
    release();
    await done(reader);
    expect(said(reader)).toBe('Echo: Hello');
  });

  it('ends with a comment when the process is asked to end', async () => {
    const release = model.hold();
    const { body } = await app.api.say(newThread(), 'Hello', {}, { prefer: 'respond-async' });
    const reader = await follow(body.conversation_id, body.id);
    await reader.has((events) => expect(events).toHaveLength(1));
    const stopping = app.stop();
    await eventually(() => expect(reader.ended).toBe('properly'));
    expect([names(reader.events), reader.comments.at(-1)]).toEqual([['message.created'], 'the service shuts down']);
    release();
    await stopping;
    await app.restart();
    const again = await follow(body.conversation_id, body.id, reader.lastId);
    await done(again);
    // By the process in its last seconds, or by the next one, which takes the turn over.
    expect(names(again.events).slice(-3)).toEqual(['reply.completed', 'conversation.updated', 'done']);
    expect(the('reply.completed', again).content).toBe('Echo: Hello');
  });
});
