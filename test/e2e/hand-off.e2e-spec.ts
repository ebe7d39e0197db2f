import { API_KEY, App } from './harness/app.js';
import { runPage } from './harness/page.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

describe('the page on hand-off', () => {
  it('says what its commands do', async () => {
    const filledIn = { 'sk_…': API_KEY, 'http://127.0.0.1:3000': app.url };
    const blocks = await runPage('docs/hand-off.md', filledIn);
    const [, handedOver = '', waiting = '', since = '', transcript = '', kept = '', refused = ''] = blocks;
    const [written = '', resumed = '', next = ''] = blocks.slice(7);
    const { conversation, reply, ...message } = JSON.parse(handedOver);
    const { handoff } = conversation;
    expect([conversation.status, reply.actions]).toEqual([
      'handed_off',
      [expect.objectContaining({ type: 'handoff', reason: 'customer_requested', summary: expect.any(String) })],
    ]);
    expect(handoff).toMatchObject({ by: 'agent', reason: 'customer_requested', at: conversation.handed_off_at });
    expect(JSON.parse(waiting).data).toEqual([conversation]);
    expect(JSON.parse(since).data).toEqual([]);
    expect(JSON.parse(transcript).data.map(({ id }: { id: string }) => id)).toEqual([message.id, reply.id]);

    const keptMessage = JSON.parse(kept);
    expect(keptMessage).toMatchObject({ content: 'Are you still there?', reply: null, reply_status: 'not_expected' });
    const [head = '', body = ''] = refused.split('\n\n');
    expect(head).toMatch(/^HTTP\/1\.1 409\b[\s\S]*^service-should-retry: false$/m);
    expect(JSON.parse(body).error).toMatchObject({ code: 'conversation_handed_off', conversation_id: conversation.id });
    const human = JSON.parse(written);
    expect(human).toMatchObject({ role: 'assistant', author: { type: 'human', name: 'Kim' } });

    expect(JSON.parse(resumed)).toMatchObject({ id: conversation.id, status: 'active', handoff: null, handed_off_at: null });
    const anew = JSON.parse(next);
    expect([anew.conversation_id, anew.conversation.status]).toEqual([conversation.id, 'active']);
    const all = await app.api.get(`/v1/conversations/${conversation.id}/messages`);
    const ids = [message.id, reply.id, keptMessage.id, human.id, anew.id, anew.reply.id];
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it('says what each status does with messages, hand-offs, resumes and ends', async () => {
    const { body: active } = await app.api.say('table', 'Hello');
    const path = `/v1/conversations/${active.conversation_id}`;
    const post = (body: object) => app.api.post(`${path}/messages`, body);
    const answers = async () => {
      const all = [
        await app.api.say('table', 'Hello?'),
        await app.api.say('table', 'Hello?', { when_handed_off: 'store' }),
        await post({ content: 'Hello?' }),
        await post({ content: 'Hello?', when_handed_off: 'store' }),
        await post({ content: 'I am Kim.', role: 'assistant', author: { type: 'human', name: 'Kim' } }),
      ];
      return all.map(({ status, body }) => body.error?.code ?? body.reply_status ?? status);
    };
    const act = async (action: string) => {
      const { status, body } = await app.api.post(`${path}/${action}`);
      return body.error?.code ?? [status, body.status];
    };
    expect(await act('resume')).toEqual([200, 'active']);
    expect(await answers()).toEqual([200, 200, 200, 200, 'conversation_not_handed_off']);
    expect([await act('handoff'), await act('handoff')]).toEqual(Array(2).fill([200, 'handed_off']));
    const refusal = 'conversation_handed_off';
    expect(await answers()).toEqual([refusal, 'not_expected', refusal, 'not_expected', 201]);
    expect(await act('resume')).toEqual([200, 'active']);
    await act('handoff');
    expect([await act('end'), await act('end')]).toEqual(Array(2).fill([200, 'ended']));
    expect([await act('handoff'), await act('resume')]).toEqual(['conversation_ended', 'conversation_ended']);
    const ended = 'conversation_ended';
    expect(await answers()).toEqual([200, 200, ended, ended, ended]);
  });
});
