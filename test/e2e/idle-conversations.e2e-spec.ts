import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel } from './harness/recording-model.js';
import { takenOver } from './harness/taken-over.js';

const IDLE_MS = 2_000;
let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, CONVERSATION_IDLE_MS: `${IDLE_MS}` });
});
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

const read = async (id: string) => (await app.api.get(`/v1/conversations/${id}`)).body;
const list = async (status: string): Promise<{ id: string }[]> =>
  (await app.api.get(`/v1/conversations?limit=100&status=${status}`)).body.data;
const listed = async (status: string) => (await list(status)).map(({ id }) => id);
const onceEnded = (id: string) =>
  eventually(async () => {
    const conversation = await read(id);
    expect(conversation.status).toBe('ended');
    return conversation;
  });
const after = (time: string) => new Date(Date.parse(time) + IDLE_MS).toISOString();
let threads = 0;
const newThread = () => `thread-${++threads}`;

describe('an idle conversation', () => {
  it('ends at its last message plus the idle time, to the millisecond', async () => {
    const { body } = await app.api.say(newThread(), 'Hello');
    const ended = await onceEnded(body.conversation_id);
    expect(ended).toEqual({
      ...body.conversation,
      status: 'ended',
      ended_at: after(body.conversation.last_message_at),
      end_reason: 'idle',
    });
  });

  it('ends at its creation plus the idle time when nothing was said', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    expect(await onceEnded(body.id)).toMatchObject({
      ended_at: after(body.created_at),
      end_reason: 'idle',
      last_message_at: null,
    });
  });

  it('is ended in lists as soon as it is ended by its id', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    for (let isEnded = false; !isEnded; await pause(20)) {
      const activeBefore = (await listed('active')).includes(body.id);
      isEnded = (await read(body.id)).status === 'ended';
      const activeAfter = (await listed('active')).includes(body.id);
      const endedAfter = (await listed('ended')).includes(body.id);
      if (isEnded) expect([activeAfter, endedAfter]).toEqual([false, true]);
      else expect(activeBefore).toBe(true);
    }
  });

  it('is shown by lists as by its id', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const ended = await onceEnded(body.id);
    expect((await list('ended')).find(({ id }) => id === body.id)).toEqual(ended);
  });

  it('is the same once a sweep has stored its end', async () => {
    const { body } = await app.api.post('/v1/conversations', {});
    const seen = await onceEnded(body.id);
    await app.restart();
    await app.api.post(`/v1/conversations/${body.id}/end`);
    expect(await read(body.id)).toEqual(seen);
  });

  it('frees its thread, and refuses messages by its id', async () => {
    const thread = newThread();
    const first = await app.api.say(thread, 'Hello');
    await onceEnded(first.body.conversation_id);
    const late = await app.api.post(`/v1/conversations/${first.body.conversation_id}/messages`, { content: 'Still there?' });
    expect(errorOf(late)).toEqual([409, 'invalid_request_error', 'conversation_ended']);
    const second = await app.api.say(thread, 'Hello again');
    expect([second.status, second.body.conversation_id === first.body.conversation_id]).toEqual([200, false]);
  });

  it('lives on exactly when the next message comes before its end', async () => {
    const outcomes = new Set<boolean>();
    for (const waits of [0, IDLE_MS - 300, IDLE_MS - 40, IDLE_MS + 10, IDLE_MS + 300]) {
      const thread = newThread();
      const first = await app.api.say(thread, 'Hello');
      await pause(waits);
      const second = await app.api.say(thread, 'Hello again');
      const livesOn = second.body.conversation_id === first.body.conversation_id;
      expect([waits, livesOn]).toEqual([waits, second.body.created_at < after(first.body.conversation.last_message_at)]);
      outcomes.add(livesOn);
    }
    expect(outcomes).toContain(false);
  });

  it('does not end while a reply is awaited', async () => {
    const release = model.hold();
    const thread = newThread();
    const waiting = app.api.say(thread, 'Take your time');
    const { conversation_id: id } = await eventually(async () => {
      const { body } = await app.api.get(`/v1/conversations?external_id=${thread}`);
      return { conversation_id: body.data[0].id as string };
    });
    await pause(IDLE_MS + 500);
    expect((await read(id)).status).toBe('active');
    expect(await listed('active')).toContain(id);
    release();
    const { body } = await waiting;
    expect((await onceEnded(id)).ended_at).toBe(after(body.reply.created_at));
  });

  it('is shown ended to who asks again for a reply that was lost on its way', async () => {
    const [thread, key] = [newThread(), { 'idempotency-key': 'lost on its way' }];
    const release = model.hold();
    const lost = app.api.say(thread, 'Call me back', {}, key).catch(() => null);
    await eventually(() => expect(model.about('Call me back')).toHaveLength(1));
    await app.kill();
    await lost;
    release();
    await app.restart();
    const id = await eventually(async () => {
      const { body } = await app.api.get(`/v1/conversations?external_id=${thread}`);
      return body.data[0].id as string;
    });
    const ended = await onceEnded(id);
    const again = await takenOver(() => app.api.say(thread, 'Call me back', {}, key));
    expect([again.status, again.body.conversation]).toEqual([200, ended]);
  });

  it('never ends by itself once it was handed off', async () => {
    model.answering = ({ last }) => (last === 'Help' ? { calls: [{ name: 'hand_off_to_human', args: '{}' }] } : `Echo: ${last}`);
    const { body } = await app.api.say(newThread(), 'Help');
    await pause(IDLE_MS + 500);
    expect((await read(body.conversation_id)).status).toBe('handed_off');
    expect(await listed('handed_off')).toContain(body.conversation_id);
    expect(await listed('ended')).not.toContain(body.conversation_id);
  });
});
