import { agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeModel, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;

describe('a model server that is busy', () => {
  let model: FakeModel;
  let clock: FakeClock;
  let agent: OpenAiAgent;

  beforeAll(async () => {
    model = await FakeModel.start();
  });

  beforeEach(() => {
    model.forget();
    clock = new FakeClock();
    agent = new OpenAiAgent({ baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 10_000 }, clock);
  });

  afterAll(() => model.stop());

  function busy(times: number, status = 429, headers: Record<string, string> = { 'retry-after': '2' }): void {
    model.script = (_, response) =>
      model.requests.length <= times ? void response.writeHead(status, headers).end('{}') : completion('Hello!');
  }

  const ask = (windowMs = 30_000) => agent.reply(agentTurn({ content: 'Hi', windowEndsAt: clock.now() + windowMs }), NEVER);
  const waiting = async () => {
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  };

  it.each([429, 503])('is waited for as long as it says: HTTP %d', async (status) => {
    busy(1, status);
    const reply = ask();
    await waiting();
    await clock.advance(1_999);
    expect(model.requests).toHaveLength(1);
    await clock.advance(1);
    expect((await reply).content).toBe('Hello!');
  });

  it('is waited for once, and says when to ask again', async () => {
    busy(9);
    const reply = ask().catch((error: unknown) => error);
    await waiting();
    await clock.advance(2_000);
    expect(await reply).toMatchObject({ why: 'http_error', retryAfterMs: 2_000 });
    expect(model.requests).toHaveLength(2);
  });

  it('is not waited for beyond the window', async () => {
    busy(9);
    await expect(ask(2_000)).rejects.toMatchObject({ retryAfterMs: 2_000 });
    expect(model.requests).toHaveLength(1);
  });

  it('is not asked again where it does not say when', async () => {
    busy(9, 429, {});
    await expect(ask()).rejects.toMatchObject({ why: 'http_error', retryAfterMs: null });
    expect(model.requests).toHaveLength(1);
  });
});
