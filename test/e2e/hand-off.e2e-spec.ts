import { API_KEY, App } from './harness/app.js';
import { runPage } from './harness/page.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

describe('the page on hand-off', () => {
  it('says what its commands do', async () => {
    const filledIn = { 'sk_…': API_KEY, 'http://127.0.0.1:3000': app.url };
    const [, handedOver = '', transcript = '', waiting = '', refused = '', ended = '', next = ''] = await runPage(
      'docs/hand-off.md',
      filledIn,
    );
    const { conversation, reply, ...message } = JSON.parse(handedOver);
    expect([conversation.status, reply.actions]).toEqual([
      'handed_off',
      [expect.objectContaining({ type: 'handoff', reason: 'customer_requested', summary: expect.any(String) })],
    ]);
    expect(JSON.parse(transcript).data.map(({ id }: { id: string }) => id)).toEqual([message.id, reply.id]);
    expect(JSON.parse(waiting).data).toEqual([conversation]);

    const [head = '', body = ''] = refused.split('\n\n');
    expect(head).toMatch(/^HTTP\/1\.1 409\b[\s\S]*^service-should-retry: false$/m);
    expect(JSON.parse(body).error).toMatchObject({ code: 'conversation_handed_off', conversation_id: conversation.id });

    expect(JSON.parse(ended)).toMatchObject({ id: conversation.id, status: 'ended', end_reason: 'explicit' });
    const anew = JSON.parse(next);
    expect(anew.conversation).toMatchObject({ status: 'active', external_id: 'ticket-7' });
    expect(anew.conversation_id).not.toBe(conversation.id);
    const kept = await app.api.get(`/v1/conversations/${conversation.id}/messages`);
    expect(kept.body.data).toHaveLength(2);
  });

  it('says what each status does with messages and ends', async () => {
    const { body: active } = await app.api.say('table', 'Hello');
    const { conversation_id: id } = active;
    await app.api.say('table', 'Can I speak to a person?');
    const byId = () => app.api.post(`/v1/conversations/${id}/messages`, { content: 'Hello?' });
    const end = () => app.api.post(`/v1/conversations/${id}/end`);
    const codeOf = ({ status, body }: Awaited<ReturnType<typeof byId>>) => [status, body.error?.code ?? null];
    expect([codeOf(await app.api.say('table', 'Hello?')), codeOf(await byId())]).toEqual([
      [409, 'conversation_handed_off'],
      [409, 'conversation_handed_off'],
    ]);
    expect([codeOf(await end()), codeOf(await byId()), codeOf(await end())]).toEqual([
      [200, null],
      [409, 'conversation_ended'],
      [200, null],
    ]);
    const { status, body } = await app.api.say('table', 'Hello again');
    expect([status, body.conversation_id === id]).toEqual([200, false]);
  });
});
