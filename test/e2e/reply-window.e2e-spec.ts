import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel } from './harness/recording-model.js';
import { takenOver } from './harness/taken-over.js';

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, REPLY_WINDOW_MS: '2000' });
});
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

/** Holds the model's answers back until `release`; `asked` resolves when a turn waits for one. */
function held(): { readonly release: () => void; readonly asked: Promise<unknown> } {
  const before = model.asked.length;
  const release = model.hold();
  return { release, asked: eventually(() => expect(model.asked.length).toBeGreaterThan(before)) };
}

const contents = async ({ body }: Answer): Promise<string[]> => {
  const { data } = (await app.api.get(`/v1/conversations/${body.error.conversation_id}/messages`)).body;
  return data.map(({ content }: { content: string }) => content);
};

describe('a reply that does not come within the window', () => {
  it('is a 504 that names the message, and the transcript has the reply once it comes', async () => {
    const { release } = held();
    const late = await app.api.say('late', 'Hello?');
    expect(errorOf(late)).toEqual([504, 'api_error', 'reply_timeout']);
    expect(late.body.error.message_id).toMatch(/^msg_/);
    expect(late.headers.get('retry-after')).toBe('2');
    expect(late.headers.get('service-should-retry')).toBe('false');
    expect(await contents(late)).toEqual(['Hello?']);
    release();
    await eventually(async () => expect(await contents(late)).toEqual(['Hello?', 'Echo: Hello?']));
  });

  it('is what a retry with the same key returns, without asking or posting again', async () => {
    const { release } = held();
    const before = model.asked.length;
    const key = { 'idempotency-key': 'late-key' };
    const late = await app.api.say('late-key', 'Hello?', {}, key);
    expect(late.status).toBe(504);
    release();
    const retried = await eventually(async () => {
      const answer = await app.api.say('late-key', 'Hello?', {}, key);
      expect(answer.status).toBe(200);
      return answer;
    });
    expect(retried.body.reply.content).toBe('Echo: Hello?');
    expect(retried.body.id).toBe(late.body.error.message_id);
    expect(model.asked.length).toBe(before + 1);
    expect(await contents(late)).toEqual(['Hello?', 'Echo: Hello?']);
    const replayed = await app.api.say('late-key', 'Hello?', {}, key);
    expect([replayed.headers.get('idempotent-replayed'), replayed.text]).toEqual(['true', retried.text]);
  });
});

describe('a client that does not wait for the reply', () => {
  it('is out of the way of the end of the process', async () => {
    const { release, asked } = held();
    const impatient = new AbortController();
    const body = JSON.stringify({ external_conversation_id: 'impatient', content: 'Hello?' });
    const headers = { authorization: `Bearer ${app.api.token}`, 'content-type': 'application/json' };
    const posted = fetch(`${app.url}/v1/messages`, { method: 'POST', headers, body, signal: impatient.signal });
    await asked;
    impatient.abort();
    await expect(posted).rejects.toThrow('aborted');
    release();
    await eventually(async () => expect(await app.requestsInFlight()).toBe(0));
    const signalled = Date.now();
    expect(await app.stop()).toBe(0);
    expect(Date.now() - signalled).toBeLessThan(15_000);
    await app.restart();
  });
});

describe('an agent that fails', () => {
  beforeAll(() => app.restart({ REPLY_WINDOW_MS: '100000' }));

  it('is a 502, and the same key asks it again for the same message', async () => {
    const { answering } = model;
    model.answering = () => ({ status: 500, body: '{}' });
    const key = { 'idempotency-key': 'failing' };
    const failed = await app.api.say('failing', 'Hello?', {}, key);
    expect(errorOf(failed)).toEqual([502, 'api_error', 'agent_unavailable']);
    model.answering = answering;
    const retried = await app.api.say('failing', 'Hello?', {}, key);
    expect([retried.status, retried.body.id]).toEqual([200, failed.body.error.message_id]);
    expect(retried.body.reply.content).toBe('Echo: Hello?');
  });

  it('is not asked again once the conversation was handed off, and the key keeps that answer', async () => {
    const { answering } = model;
    model.answering = () => ({ status: 500, body: '{}' });
    const key = { 'idempotency-key': 'handed-off' };
    const failed = await app.api.say('handed-off', 'Hello?', {}, key);
    model.answering = () => ({ calls: [{ name: 'hand_off_to_human', args: '{"reason":"stuck","summary":"Help"}' }] });
    await app.api.say('handed-off', 'A person!');
    model.answering = answering;
    const retried = await app.api.say('handed-off', 'Hello?', {}, key);
    expect(errorOf(retried)).toEqual([409, 'invalid_request_error', 'conversation_handed_off']);
    expect((await app.api.say('handed-off', 'Hello?', {}, key)).text).toBe(retried.text);
    expect((await contents(failed)).filter((content) => content.startsWith('Echo'))).toEqual([]);
  });
});

describe('while the first request of a key is executed', () => {
  beforeAll(() => app.restart({ REPLY_WINDOW_MS: '100000' }));

  it('a second one joins it, another body is refused', async () => {
    const { asked, release } = held();
    const key = { 'idempotency-key': 'busy' };
    const first = app.api.say('busy', 'Hello?', {}, key);
    await asked;
    const second = app.api.say('busy', 'Hello?', {}, key);
    const other = await app.api.say('busy', 'Something else', {}, key);
    expect(errorOf(other)).toEqual([422, 'idempotency_error', 'idempotency_key_reused']);
    release();
    expect((await first).body.reply.content).toBe('Echo: Hello?');
    expect([(await second).text, (await second).headers.get('idempotent-replayed')]).toEqual([(await first).text, 'true']);
  });

  it('a retry after a kill takes over: one message, one reply', async () => {
    const { asked, release } = held();
    const key = { 'idempotency-key': 'killed' };
    const first = app.api.say('killed', 'Hello?', {}, key).catch(() => null);
    await asked;
    await app.kill();
    expect(await first).toBeNull();
    release();
    await app.restart();
    const retried = await takenOver(() => app.api.say('killed', 'Hello?', {}, key));
    expect(retried.body.reply.content).toBe('Echo: Hello?');
    const { data } = (await app.api.get(`/v1/conversations/${retried.body.conversation_id}/messages`)).body;
    expect(data).toHaveLength(2);
  });
});

it('a window that is open at the end is answered with its ids, and finished by the next start', async () => {
  await app.restart({ REPLY_WINDOW_MS: '60000' });
  const { asked, release } = held();
  const open = app.api.say('ending', 'Hello?');
  await asked;
  const code = app.stop();
  const cut = await open;
  expect(errorOf(cut)).toEqual([504, 'api_error', 'reply_timeout']);
  expect(await code).toBe(0);
  release();
  await app.restart();
  await eventually(async () => expect(await contents(cut)).toEqual(['Hello?', 'Echo: Hello?']));
});
