import { API_KEY, App } from './harness/app.js';
import { runPage } from './harness/page.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const namesIn = (stream: string) => [...stream.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
const parts = (text = '') => {
  const [head = '', body = ''] = text.split('\n\n');
  return { head, body: JSON.parse(body) };
};

describe('the page on waiting', () => {
  it('says what its commands do', async () => {
    const filledIn = { 'sk_…': API_KEY, 'http://127.0.0.1:3000': app.url, 'Last-Event-ID: …': 'Last-Event-ID: of nothing' };
    const [, waited = '', accepted, bounded, byId = '', streamed = '', again = ''] = await runPage('docs/waiting.md', filledIn);
    expect(JSON.parse(waited)).toMatchObject({ reply: { role: 'assistant' }, conversation: { external_id: 'chat-7' } });

    const { head, body } = parts(accepted);
    expect(head).toMatch(/^HTTP\/1\.1 202\b[\s\S]*^preference-applied: respond-async$/m);
    expect(body).toMatchObject({ reply: null, reply_status: 'pending' });

    expect(parts(bounded).head).toMatch(/^HTTP\/1\.1 200\b[\s\S]*^preference-applied: wait=5$/m);
    expect(parts(bounded).body.reply.role).toBe('assistant');

    expect(JSON.parse(byId)).toMatchObject({ reply_status: 'completed', reply: { role: 'assistant' } });

    const whole = ['message.created', 'reply.delta', 'reply.completed', 'conversation.updated', 'done'];
    expect([namesIn(streamed), namesIn(again)]).toEqual([whole, whole]);
    expect(again).toContain(JSON.parse(byId).reply.id);
  });
});
