import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { App } from './harness/app.js';
import { EventReader } from './harness/event-reader.js';
import { eventually } from './harness/eventually.js';
import { Example } from './harness/example.js';
import { RecordingModel, echo } from './harness/recording-model.js';

let model: RecordingModel;
let app: App;
let example: Example;
let url: string;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start(model.variables);
  const KEY = app.api.token ?? '';
  ({ url, example } = await Example.listening('chat.mjs', { BASE_URL: app.url, KEY, PORT: '0' }));
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await example.stop();
  await app.dispose();
  await model.stop();
});

/** As the page sends it, but for a token, which is not to reach the service. */
const page = () => ({ url, token: 'no key' }) as App['api'];
const names = ({ events }: EventReader) => events.map(({ event }) => event);
const say = (content: string, headers = {}) =>
  EventReader.post(page(), '/v1/messages', { external_conversation_id: 'of-the-page', content }, headers);

describe('the server of the chat page', () => {
  it('serves the page, in which there is no key', async () => {
    const answer = await fetch(url);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toBe(readFileSync(join(__dirname, '../../docs/examples', 'chat.html'), 'utf8'));
    expect(text).toContain('A browser must never hold an API key');
    expect(text).not.toContain(app.api.token);
    expect(text).not.toMatch(/(src|href)="https?:/);
  });

  it('passes a stream on as it comes, and goes on where another broke off', async () => {
    const release = model.hold();
    const reader = await say('Hello', { 'idempotency-key': 'of-the-page' });
    await reader.has(() => expect(names(reader)).toEqual(['message.created']));
    const { id, conversation_id: conversation } = reader.events[0]!.data;
    reader.close();
    release();
    const rest = await EventReader.open(page(), `/v1/conversations/${conversation}/messages/${id}/stream`, {
      'last-event-id': reader.lastId,
    });
    await eventually(() => expect(names(rest).at(-1)).toBe('done'));
    expect(rest.events.find(({ event }) => event === 'reply.completed')?.data.content).toBe('Echo: Hello');
    const again = await say('Hello', { 'idempotency-key': 'of-the-page' });
    await eventually(() => expect(names(again).at(-1)).toBe('done'));
    expect(again.events[0]?.data.id).toBe(id);
  });

  it('passes on why a message was refused', async () => {
    const refused = await say('');
    expect([refused.status, refused.response.headers.get('service-should-retry')]).toEqual([400, 'false']);
    expect(await refused.response.json()).toMatchObject({ error: { code: 'parameter_missing' } });
  });

  it.each([
    ['GET', '/v1/conversations'],
    ['POST', '/v1/api_keys'],
    ['GET', '/v1/messages'],
    ['POST', '/v1/messages?x=1'],
    ['GET', '/v1/conversations/../customers/messages/x/stream'],
    ['GET', '/v1/conversations/%2e%2e/messages'],
    ['GET', '/chat.mjs'],
  ])('does nothing else with the key: %s %s', async (method, path) => {
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(url);
      request({ port, host: '127.0.0.1', method, path }, (answer) => resolve(answer.resume().statusCode))
        .once('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });

  it('says that the service is away while it is', async () => {
    const KEY = app.api.token ?? '';
    const alone = await Example.listening('chat.mjs', { BASE_URL: 'http://127.0.0.1:9', KEY, PORT: '0' });
    expect((await fetch(`${alone.url}/v1/messages`, { method: 'POST', body: '{}' })).status).toBe(502);
    await alone.example.stop();
  });
});
