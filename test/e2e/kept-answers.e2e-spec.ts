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
