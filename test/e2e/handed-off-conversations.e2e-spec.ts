import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel, echo } from './harness/recording-model.js';

const IDLE_MS = 3_000;
const HAND_OFF = () => ({
  calls: [{ name: 'hand_off_to_human', args: '{"reason":"stuck","summary":"Wants a refund."}' }],
  content: 'A colleague comes.',
});
const ENDED = [409, 'invalid_request_error', 'conversation_ended'];
const HANDED_OFF = [409, 'invalid_request_error', 'conversation_handed_off'];

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, CONVERSATION_IDLE_MS: `${IDLE_MS}` });
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

let count = 0;
const newThread = () => `thread-${++count}`;
const opened = async (): Promise<string> => (await app.api.post('/v1/conversations', { external_id: newThread() })).body.id;
const read = async (id: string) => (await app.api.get(`/v1/conversations/${id}`)).body;
const act = (id: string, action: 'handoff' | 'resume' | 'end', body?: object, headers = {}) =>
  app.api.post(`/v1/conversations/${id}/${action}`, body, headers);
const post = (id: string, content: string) => app.api.post(`/v1/conversations/${id}/messages`, { content });
const listed = async (id: string, query: string) => {
  const { body } = await app.api.get(`/v1/conversations?limit=100&${query}`);
  return body.data.find((each: { id: string }) => each.id === id);
};

describe('a conversation that the client hands over', () => {
  it('says who, why, with which summary and when, wherever it is shown', async () => {
    const id = await opened();
    const { status, body } = await act(id, 'handoff', { reason: 'angry', summary: 'Wants a refund.' });
    expect([status, body.status]).toEqual([200, 'handed_off']);
    expect(body.handoff).toEqual({ by: 'client', reason: 'angry', summary: 'Wants a refund.', at: body.handed_off_at });
    expect(await read(id)).toEqual(body);
    expect(await listed(id, 'status=handed_off')).toEqual(body);
  });

  it('needs no reason', async () => {
    const { body } = await act(await opened(), 'handoff');
    expect(body.handoff).toEqual({ by: 'client', reason: null, summary: null, at: body.handed_off_at });
  });

  it('is handed over once: repeats change nothing', async () => {
    const id = await opened();
    const first = await act(id, 'handoff', { reason: 'angry' });
    const again = await act(id, 'handoff', { reason: 'other' });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('gets the same answer under its key, also once it was given back', async () => {
    const [id, key] = [await opened(), { 'idempotency-key': `key-${++count}` }];
    const first = await act(id, 'handoff', {}, key);
    await act(id, 'resume');
    const again = await act(id, 'handoff', {}, key);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await read(id)).status).toBe('active');
  });

  it('takes no message, asks the agent nothing, and never ends by idling', async () => {
    const id = await opened();
    await act(id, 'handoff');
    expect(errorOf(await post(id, 'Are you there?'))).toEqual(HANDED_OFF);
    await pause(IDLE_MS + 500);
    expect((await read(id)).status).toBe('handed_off');
    expect(model.about('Are you there?')).toEqual([]);
  });

  it('still shows the hand-off once it has ended', async () => {
    const id = await opened();
    const { body } = await act(id, 'handoff', { reason: 'angry' });
    const ended = await act(id, 'end');
    expect(ended.body).toMatchObject({ status: 'ended', handoff: body.handoff, handed_off_at: body.handed_off_at });
    expect(await listed(id, 'status=ended')).toEqual(ended.body);
  });

  it('can be handed over and given back no more once it has ended', async () => {
    const id = await opened();
    await act(id, 'end');
    expect([errorOf(await act(id, 'handoff')), errorOf(await act(id, 'resume'))]).toEqual([ENDED, ENDED]);
  });

  it('may be handed over with texts of their full length, and no longer', async () => {
    const id = await opened();
    const tooLong = await act(id, 'handoff', { reason: 'é'.repeat(256) });
    expect(errorOf(tooLong)).toEqual([400, 'invalid_request_error', 'parameter_too_long', 'reason']);
    const long = await act(id, 'handoff', { summary: '🙂'.repeat(2_001) });
    expect(errorOf(long)).toEqual([400, 'invalid_request_error', 'parameter_too_long', 'summary']);
    const { body } = await act(id, 'handoff', { reason: 'é'.repeat(255), summary: '🙂'.repeat(2_000) });
    expect(body.handoff).toMatchObject({ reason: 'é'.repeat(255), summary: '🙂'.repeat(2_000) });
    const note = await act(id, 'resume', { note: '🙂'.repeat(2_001) });
    expect(errorOf(note)).toEqual([400, 'invalid_request_error', 'parameter_too_long', 'note']);
  });

  it('is not found by its id where it is of another project', async () => {
    const [id, other] = [await opened(), await app.otherProject(`other ${++count}`)];
    for (const action of ['handoff', 'resume']) {
      const answer = await other.post(`/v1/conversations/${id}/${action}`);
      expect(errorOf(answer)).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
    }
  });
});

describe('a conversation that the agent hands over', () => {
  it('says so likewise', async () => {
    model.answering = HAND_OFF;
    const { body } = await app.api.say(newThread(), 'I want my money back');
    const { conversation } = body;
    expect(conversation.handoff).toEqual({
      by: 'agent',
      reason: 'stuck',
      summary: 'Wants a refund.',
      at: conversation.handed_off_at,
    });
    expect(await listed(conversation.id, 'status=handed_off')).toEqual(conversation);
  });
});

describe('a reply that hands over', () => {
  it('ends with what its project says then, in plain text where that is wanted', async () => {
    const admin = await app.admin();
    const other = await app.otherProject('with an ending');
    const { body: list } = await admin.get('/admin/v1/projects');
    const path = `/admin/v1/projects/${list.data.find(({ name }: { name: string }) => name === 'with an ending').id}`;
    await admin.patch(path, { handoff_reply: 'You hear from us **today**.' });
    model.answering = HAND_OFF;
    const said = async (markdown: boolean) => (await other.say(newThread(), 'Help', { markdown })).body.reply.content;
    expect(await said(true)).toBe('A colleague comes.\n\nYou hear from us **today**.');
    expect(await said(false)).toBe('A colleague comes.\n\nYou hear from us today.');
    model.answering = echo;
    expect(await said(true)).toBe('Echo: Help');
    await admin.patch(path, { handoff_reply: null });
    model.answering = HAND_OFF;
    expect(await said(true)).toBe('A colleague comes.');
  });
});

describe('a conversation that is given back', () => {
  it('is answered by the agent again: the same conversation in the same thread, and nothing shows the hand-off', async () => {
    const thread = newThread();
    const { body: first } = await app.api.say(thread, 'Hello');
    await act(first.conversation_id, 'handoff');
    const { status, body } = await act(first.conversation_id, 'resume', { note: 'He has his refund.' });
    expect([status, body.status, body.handed_off_at, body.handoff]).toEqual([200, 'active', null, null]);
    expect(await listed(first.conversation_id, 'status=active')).toEqual(body);
    const { body: next } = await app.api.say(thread, 'And now?');
    expect([next.conversation_id, next.reply.content]).toEqual([first.conversation_id, 'Echo: And now?']);
  });

  it('is given back once: repeats change nothing', async () => {
    const id = await opened();
    await act(id, 'handoff');
    const first = await act(id, 'resume');
    const again = await act(id, 'resume', { note: 'again' });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('changes nothing where the agent has it', async () => {
    const id = await opened();
    const before = await read(id);
    expect(await act(id, 'resume')).toMatchObject({ status: 200, body: before });
  });

  it('idles from then on', async () => {
    const id = await opened();
    await act(id, 'handoff');
    await pause(IDLE_MS);
    const before = Date.now();
    await act(id, 'resume');
    const after = Date.now();
    expect((await read(id)).status).toBe('active');
    const { ended_at, end_reason } = await eventually(async () => {
      const conversation = await read(id);
      expect(conversation.status).toBe('ended');
      return conversation;
    });
    expect(end_reason).toBe('idle');
    expect(Date.parse(ended_at)).toBeGreaterThanOrEqual(before + IDLE_MS);
    expect(Date.parse(ended_at)).toBeLessThanOrEqual(after + IDLE_MS);
  });

  it('keeps a late reply of a turn before, which then neither hands over nor ends', async () => {
    const id = await opened();
    const release = model.hold();
    const late = post(id, 'Slow question');
    await eventually(() => expect(model.about('Slow question')).toHaveLength(1));
    await act(id, 'handoff');
    await act(id, 'resume');
    release(HAND_OFF);
    const { body } = await late;
    expect([body.reply.content, body.reply.actions, body.conversation.status]).toEqual(['A colleague comes.', [], 'active']);
  });

  it('lets what waited for the turn under way be refused at once when it is handed over', async () => {
    const id = await opened();
    const release = model.hold();
    const first = post(id, 'First question');
    await eventually(() => expect(model.about('First question')).toHaveLength(1));
    const second = post(id, 'Second question');
    await eventually(async () => expect(await app.requestsInFlight()).toBe(2));
    await act(id, 'handoff');
    expect(errorOf(await second)).toEqual(HANDED_OFF);
    release();
    expect((await first).body.reply.content).toBe('Echo: First question');
  });
});
