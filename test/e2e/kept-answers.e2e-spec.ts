import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { App } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { RecordingModel, echo } from './harness/recording-model.js';

let model: RecordingModel;
let app: App;
beforeAll(async () => void (model = await RecordingModel.start()));
afterEach(() => {
  model.answering = echo;
  return app.dispose();
});
afterAll(() => model.stop());

let count = 0;
const newKey = () => ({ 'idempotency-key': `key-${++count}` });
const marksOf = ({ headers }: Answer) => [headers.get('idempotent-replayed'), headers.get('original-request')];

const agents = { scripted: () => ({}), 'model-backed': () => model.variables } as const;
/** Small talk, a booking, a hand-off and a farewell, each posted to a thread of its own. */
const MESSAGES = ['Hello', 'Book me a dental cleaning on 2035-03-05 at 10:00', 'I want to talk to a human', 'Goodbye'];

describe.each(Object.entries(agents))('the answers of the %s agent', (_name, variables) => {
  it('are replayed byte by byte after a kill and a restart, whatever followed', async () => {
    app = await App.start(variables());
    const customer = { customer: { phone: '+4915100000001' } };
    const posts = MESSAGES.map((content) => ({ content, thread: `thread-${++count}`, key: newKey() }));
    const first: Answer[] = [];
    for (const { thread, content, key } of posts) first.push(await app.api.say(thread, content, customer, key));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { body } of first) await app.api.post(`/v1/conversations/${body.conversation_id}/end`);
    await app.kill();
    await app.restart();
    for (const [index, { thread, content, key }] of posts.entries()) {
      const again = await app.api.say(thread, content, customer, key);
      expect([again.status, again.text]).toEqual([200, first[index]!.text]);
      expect(marksOf(again)).toEqual(['true', first[index]!.headers.get('request-id')]);
    }
  });
});

describe('a key of version 0.1.0, which did not keep every answer', () => {
  /** Reduces each record to its claim, as that version left it. */
  async function forgetAnswers(): Promise<number> {
    await app.kill();
    const db = new DatabaseSync(join(app.dataDir, 'store.sqlite'));
    const rows = db.prepare(`SELECT row, value FROM record_log WHERE value LIKE '%"answer":%'`).all();
    for (const { row, value } of rows as { row: number; value: string }[]) {
      const { answer: _, ...claim } = JSON.parse(value.split('\n')[0]!) as Record<string, unknown>;
      db.prepare('UPDATE record_log SET value = ? WHERE row = ?').run(JSON.stringify(claim), row);
    }
    db.close();
    await app.restart();
    return rows.length;
  }

  it('replays from the turn: the same ids and contents, and the conversation as it is by then', async () => {
    app = await App.start();
    const key = newKey();
    const first = await app.api.say('kept by its turn', 'Hello', {}, key);
    await app.api.say('kept by its turn', 'And then?');
    const ended = await app.api.post(`/v1/conversations/${first.body.conversation_id}/end`);
    expect(await forgetAnswers()).toBe(1);
    const again = await app.api.say('kept by its turn', 'Hello', {}, key);
    expect([again.status, again.body]).toEqual([200, { ...first.body, conversation: ended.body }]);
    expect(marksOf(again)).toEqual(['true', first.headers.get('request-id')]);
    const transcript = await app.api.get(`/v1/conversations/${first.body.conversation_id}/messages`);
    expect(transcript.body.data).toHaveLength(4);
  });

  it('is kept from then on, in the name of the first request', async () => {
    app = await App.start();
    const key = newKey();
    const first = await app.api.say('kept at last', 'Hello', {}, key);
    await forgetAnswers();
    const again = await app.api.say('kept at last', 'Hello', {}, key);
    await app.api.post(`/v1/conversations/${first.body.conversation_id}/end`);
    const onceMore = await app.api.say('kept at last', 'Hello', {}, key);
    expect([again.text, onceMore.text]).toEqual([first.text, first.text]);
    expect(marksOf(onceMore)).toEqual(['true', first.headers.get('request-id')]);
  });
});
