import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { Example } from './harness/example.js';

let app: App;
let desk: Example;
beforeAll(async () => void (app = await App.start()));
beforeEach(() => void (desk = started()));
afterEach(() => desk.stop());
afterAll(() => app.dispose());

const started = () => Example.start('desk.mjs', { BASE_URL: app.url, KEY: app.api.token ?? '', NAME: 'Kim' });
const lines = (from = desk) => from.stdout.split('\n').slice(0, -1);
const says = (line: string | RegExp) =>
  eventually(() => expect(lines()).toEqual(expect.arrayContaining([expect.stringMatching(line)])));
let threads = 0;
const handedOver = async () => {
  const thread = `thread-${++threads}`;
  const { body } = await app.api.say(thread, 'Can I speak to a person?');
  return { thread, id: body.conversation_id as string, reply: body.reply.content as string };
};

describe('the example of a desk', () => {
  it('tells of each hand-off once, with what was said, also of those from before', async () => {
    const before = await handedOver();
    await says(`^${before.id} handed over by agent: customer_requested`);
    await says(`^${before.id} agent: `);
    const { body } = await app.api.post('/v1/conversations', {});
    await app.api.post(`/v1/conversations/${body.id}/handoff`, { reason: 'angry', summary: 'Wants a refund.' });
    await says(`^${body.id} handed over by client: angry: Wants a refund\\.$`);
    const text = lines().filter((line) => line.startsWith(before.id));
    expect(text.slice(1)).toEqual([
      `${before.id} user: Can I speak to a person?`,
      ...`${before.id} agent: ${before.reply}`.split('\n').slice(0, 1),
    ]);
    const late = started();
    await eventually(() => expect(lines(late).filter((line) => line.includes('handed over'))).toHaveLength(2));
    await late.stop();
  });

  it('writes in the place of the agent, shows what the customer writes, and gives back', async () => {
    const { thread, id } = await handedOver();
    await says(`^${id} handed over`);
    desk.enter(`${id} I am Kim, and I take care of it.`);
    await says(`^${id} Kim: I am Kim, and I take care of it\\.$`);
    await app.api.say(thread, 'Thank you, Kim', { when_handed_off: 'store' });
    await says(`^${id} user: Thank you, Kim$`);
    desk.enter(`${id} /back It was refunded.`);
    await says(`^${id} given back$`);
    expect((await app.api.get(`/v1/conversations/${id}`)).body.status).toBe('active');
    const { body } = await app.api.get(`/v1/conversations/${id}/messages`);
    expect(body.data.map(({ content }: { content: string }) => content).slice(2)).toEqual([
      'I am Kim, and I take care of it.',
      'Thank you, Kim',
    ]);
    expect(body.data[2].author).toEqual({ type: 'human', name: 'Kim' });
  });

  it('tells again of a conversation that is handed over again', async () => {
    const { id } = await handedOver();
    await says(`^${id} handed over by agent`);
    desk.enter(`${id} /back`);
    await says(`^${id} given back$`);
    await app.api.post(`/v1/conversations/${id}/handoff`, { reason: 'once more' });
    await says(`^${id} handed over by client: once more$`);
  });

  it('tells what was refused, and goes on', async () => {
    const { id } = await handedOver();
    await app.api.post(`/v1/conversations/${id}/end`);
    desk.enter(`${id} /back`);
    await eventually(() => expect(desk.stderr).toContain('conversation_ended'));
    const other = await handedOver();
    await says(`^${other.id} handed over`);
  });
});
