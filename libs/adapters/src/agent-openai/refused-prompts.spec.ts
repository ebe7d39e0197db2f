import type { TranscriptLine } from '@ports/agent.port';
import { type TurnParts, agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, type ModelRequest, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const FAILED: TranscriptLine = { role: 'user', content: 'BADWORD', at: 1, failed: true };
const length = ({ messages }: ModelRequest) => JSON.stringify(messages).length;
const isAbout = (word: string) => (request: ModelRequest) => JSON.stringify(request.messages).includes(word);

describe('a prompt that a model server refuses', () => {
  let model: FakeModel;
  let clock: FakeClock;
  let agent: OpenAiAgent;
  let logged: string[];

  beforeAll(async () => {
    model = await FakeModel.start();
  });

  beforeEach(() => {
    model.forget();
    clock = new FakeClock();
    logged = [];
    const options = { baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 10_000 };
    agent = new OpenAiAgent(options, clock, (line) => logged.push(line));
  });

  afterAll(() => model.stop());

  function refusing(isRefused: (request: ModelRequest) => boolean, error: object = {}, status = 400): void {
    model.script = (request, response) =>
      isRefused(request) ? void response.writeHead(status).end(JSON.stringify({ error })) : completion('Fine.');
  }

  const ask = (parts: Partial<TurnParts> = {}) =>
    agent.reply(agentTurn({ content: 'And now?', toolbox: new FakeLedger(), ...parts }), NEVER);
  const talk = (characters: number): TranscriptLine[] =>
    Array.from({ length: 50 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `${at} ${'x'.repeat(characters / 50)}`,
      at,
    }));

  describe('for its content', () => {
    const filter = (code = 'content_filter') => refusing(isAbout('BADWORD'), { code });

    it('is told without the messages whose turns failed', async () => {
      filter();
      expect((await ask({ before: [...talk(500), FAILED] })).content).toBe('Fine.');
      expect(model.requests).toHaveLength(2);
      expect(model.lastMessages.length).toBeGreaterThan(20);
    });

    it('is told without earlier conversations', async () => {
      filter('content_policy_violation');
      const lines: TranscriptLine[] = [{ role: 'assistant', content: 'You said BADWORD.', at: 1 }];
      const memory = { appointments: [], conversations: [{ startedAt: 0, endReason: 'idle', lines }] };
      expect((await ask({ memory })).content).toBe('Fine.');
      expect(model.requests.length).toBeLessThanOrEqual(3);
    });

    it('is at last the message alone, with the instructions', async () => {
      filter();
      const before: TranscriptLine[] = [...talk(500), { role: 'assistant', content: 'BADWORD yourself', at: 60 }];
      expect((await ask({ before, metadata: '{"x":"BADWORD"}', instructions: 'Be kind.' })).content).toBe('Fine.');
      expect(model.requests).toHaveLength(4);
      expect(model.lastMessages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(model.lastMessages[0]?.content).toMatch(/^Be kind\./);
    });

    it('fails where the message itself is refused, within four requests', async () => {
      filter();
      await expect(ask({ content: 'BADWORD', before: talk(500) })).rejects.toMatchObject({
        message: 'The model server answered with HTTP 400 (content_filter).',
      });
      expect(model.requests).toHaveLength(4);
    });

    it('is no reason to tell other prompts otherwise', async () => {
      filter();
      await ask({ before: [...talk(500), FAILED] });
      model.forget();
      await ask({ before: talk(500) });
      expect([model.requests.length, model.lastMessages.length]).toEqual([1, 52]);
    });

    it('is logged with its code, and without a word of it', async () => {
      filter();
      await ask({ before: [FAILED] });
      expect(logged).toEqual([
        'The model server answered with HTTP 400 (content_filter). It is asked again in another form (less).',
      ]);
    });
  });

  describe('for its size', () => {
    const bounded = (most: number, status = 400) =>
      refusing((request) => length(request) > most, { code: 'context_length_exceeded' }, status);

    it.each([400, 413, 500])('is told the newest half: HTTP %d', async (status) => {
      bounded(30_000, status);
      expect((await ask({ before: talk(40_000) })).content).toBe('Fine.');
      expect(model.requests).toHaveLength(2);
      expect(model.lastMessages.length).toBeGreaterThan(20);
      expect(model.lastMessages.at(-2)?.content).toMatch(/^49 /);
    });

    it('is at last the message alone', async () => {
      bounded(5_000);
      expect((await ask({ before: talk(400_000) })).content).toBe('Fine.');
      expect([model.requests.length, model.lastMessages.length]).toEqual([4, 2]);
    });

    it('is told in half the size from the first for an hour', async () => {
      bounded(30_000);
      const before = talk(40_000);
      await ask({ before });
      model.forget();
      await ask({ before });
      expect([model.requests.length, length(model.requests[0]!) <= 24_000]).toEqual([1, true]);
      clock.elapse(HOUR_MS);
      model.forget();
      await ask({ before });
      expect(model.requests).toHaveLength(2);
    });

    it('teaches nothing where even the message alone is too long', async () => {
      bounded(100);
      await expect(ask({ before: talk(40_000) })).rejects.toMatchObject({ why: 'http_error' });
      model.forget();
      model.script = () => completion('Fine.');
      await ask({ before: talk(40_000) });
      expect(model.lastMessages).toHaveLength(52);
    });

    it('is told less between tools too', async () => {
      refusing((request) => length(request) > 30_000 && request.messages.at(-1)?.role === 'tool', {
        code: 'context_length_exceeded',
      });
      const refuse = model.script;
      model.script = (request, response) =>
        request.messages.at(-1)?.role === 'tool'
          ? refuse(request, response)
          : completion(null, { name: 'find_appointments', args: {} });
      expect((await ask({ before: talk(40_000) })).content).toBe('Fine.');
      expect(model.lastMessages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'tool']);
    });
  });

  it('without a reason is told without the messages whose turns failed before anything else is given up', async () => {
    refusing(isAbout('BADWORD'));
    expect((await ask({ before: [...talk(500), FAILED, ...talk(500)] })).content).toBe('Fine.');
    expect(model.requests.length).toBeLessThanOrEqual(3);
    expect([model.lastMessages[0]?.role, model.requests.at(-1)?.tools.length]).toEqual(['system', 8]);
  });

  it.each([400, 404, 422, 501])('without a reason is told in other forms, at last alone: HTTP %d', async (status) => {
    refusing(({ messages, tools }) => messages.length > 1 || tools !== undefined, {}, status);
    expect((await ask({ before: [FAILED] })).content).toBe('Fine.');
    expect(model.requests.length).toBeLessThanOrEqual(4);
  });

  it('is not told again once the window is over', async () => {
    refusing(() => true, { code: 'content_filter' });
    await expect(ask({ before: talk(500), windowEndsAt: clock.now() })).rejects.toMatchObject({ why: 'http_error' });
    expect(model.requests).toHaveLength(1);
  });

  it('is not told again where its model or its key is wrong', async () => {
    for (const [status, message] of [
      [404, "model 'tiny' not found"],
      [400, 'API key not valid'],
    ] as const) {
      model.forget();
      refusing(() => true, { message }, status);
      await expect(ask({ before: talk(500) })).rejects.toMatchObject({ why: 'http_error' });
      expect(model.requests).toHaveLength(1);
    }
  });
});
