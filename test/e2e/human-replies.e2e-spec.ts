import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

let count = 0;
const newThread = () => `human-${++count}`;

const REFUSED = [400, 'invalid_request_error', 'parameter_invalid'];

describe('a human in the place of the agent', () => {
  it('writes while the conversation is handed off; the person is heard, and nobody answers for the agent', async () => {
    const { body } = await app.api.say(newThread(), 'Hello');
    const path = `/v1/conversations/${body.conversation_id}`;
    const kim = { content: 'Kim here.', role: 'assistant', author: { type: 'human', name: 'Kim' }, when_handed_off: 'ignored' };
    const early = await app.api.post(`${path}/messages`, kim);
    expect(errorOf(early)).toEqual([409, 'invalid_request_error', 'conversation_not_handed_off']);
    await app.api.post(`${path}/handoff`, { reason: 'angry' });
    const kept = await app.api.post(`${path}/messages`, { content: 'At last!', when_handed_off: 'store' });
    expect([kept.status, kept.body.reply, kept.body.reply_status]).toEqual([200, null, 'not_expected']);
    expect((await app.api.post(`${path}/messages`, { content: 'Hm' })).status).toBe(409);
    const written = await app.api.post(`${path}/messages`, kim);
    expect([written.status, written.body.author]).toEqual([201, { type: 'human', name: 'Kim' }]);
    expect((await app.api.get(`${path}/messages/${kept.body.id}`)).body.reply_status).toBe('not_expected');
    const said = (await app.api.get(`${path}/messages`)).body.data.map(({ content }: { content: string }) => content);
    expect(said).toEqual(['Hello', body.reply.content, 'At last!', 'Kim here.']);
  });

  it.each([
    [{ role: 'user' }],
    [{ role: 'assistant' }],
    [{ author: { type: 'human', name: 'Kim' } }],
    [{ role: 'assistant', author: { type: 'agent', name: 'Kim' } }],
    [{ role: 'assistant', author: { type: 'human' } }],
    [{ role: 'assistant', author: {} }],
    [{ role: 'assistant', author: 'Kim' }],
    [{ role: 'system', author: { type: 'human', name: 'Kim' } }],
  ])('is none with %j', async (members) => {
    const { body } = await app.api.say(newThread(), 'Hello');
    const path = `/v1/conversations/${body.conversation_id}`;
    await app.api.post(`${path}/handoff`, {});
    expect(errorOf(await app.api.post(`${path}/messages`, { content: 'x', ...members })).slice(0, 3)).toEqual(REFUSED);
    expect((await app.api.get(`${path}/messages`)).body.data).toHaveLength(2);
  });

  it.each([[{ role: 'assistant' }], [{ author: { type: 'human', name: 'Kim' } }]])(
    'does not write by thread: %j',
    async (members) => {
      expect(errorOf(await app.api.say(newThread(), 'Hello', members)).slice(0, 3)).toEqual(REFUSED);
    },
  );
});
