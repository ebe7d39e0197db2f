import { agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, type ModelMessage, type ModelRequest, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;
const UNANSWERED = [{ role: 'user', content: 'Are you there?', at: 1 }] as const;

/** As Mistral's templates require: user and assistant alternate, apart from tool calls and results. */
function speakInTurns(messages: readonly ModelMessage[]): boolean {
  const spoken = messages.filter(({ role, tool_calls }) => role !== 'system' && role !== 'tool' && !tool_calls);
  return spoken.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant'));
}

describe('a model server that is strict', () => {
  let model: FakeModel;
  let agent: OpenAiAgent;

  beforeAll(async () => {
    model = await FakeModel.start();
  });

  beforeEach(() => {
    model.forget();
    agent = new OpenAiAgent({ baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 10_000 }, new FakeClock());
  });

  afterAll(() => model.stop());

  const ask = (before: Parameters<typeof agentTurn>[0]['before'] = []) =>
    agent.reply(agentTurn({ content: 'And now?', before, toolbox: new FakeLedger() }), NEVER);

  function refusing(status: number, isRefused: (request: ModelRequest) => boolean, why = 'roles must alternate'): void {
    model.script = (request, response) => {
      if (isRefused(request)) return void response.writeHead(status).end(JSON.stringify({ error: { message: why } }));
      return request.messages.at(-1)?.role === 'tool'
        ? completion('Found.')
        : completion(null, { name: 'find_appointments', args: {} });
    };
  }

  it.each([400, 422, 500])('about turns is told of messages without a reply in one: HTTP %d', async (status) => {
    refusing(status, ({ messages }) => !speakInTurns(messages));
    expect((await ask(UNANSWERED)).content).toBe('Found.');
    expect(model.requests.map(({ messages }) => messages.slice(1).map(({ role }) => role))).toEqual([
      ['user', 'user'],
      ['user'],
      ['user', 'assistant', 'tool'],
    ]);
    expect(model.lastMessages[1]?.content).toBe('Are you there?\n\nAnd now?');
  });

  it('about who speaks first is told no reply before it', async () => {
    refusing(400, ({ messages }) => messages[1]?.role !== 'user');
    expect((await ask([{ role: 'assistant', content: 'Goodbye!', at: 1 }])).content).toBe('Found.');
  });

  it('about thoughts is told those of its own model', async () => {
    const tool_calls = [{ id: 'own', type: 'function', function: { name: 'find_appointments', arguments: '{}' } }];
    const message = { content: null, reasoning_content: 'I look it up.', tool_calls };
    model.script = ({ messages }, response) => {
      const called = messages.find((each) => each.tool_calls);
      if (!called) return { choices: [{ message }] };
      if ('reasoning_content' in called && called.reasoning_content === 'I look it up.') return completion('Found.');
      return void response.writeHead(400).end('{}');
    };
    expect((await ask()).content).toBe('Found.');
    expect(model.requests).toHaveLength(3);
  });

  it('about what its model thought is told that from the first', async () => {
    const tool_calls = [{ id: 'own', type: 'function', function: { name: 'find_appointments', arguments: '{}' } }];
    const reasoning_details = [{ type: 'reasoning.encrypted', data: 'c2VhbGVk' }];
    model.script = ({ messages }, response) => {
      const called = messages.find((each) => each.tool_calls);
      if (!called) return { choices: [{ message: { content: null, reasoning_details, tool_calls } }] };
      if (JSON.stringify(called).includes('c2VhbGVk')) return completion('Found.');
      return void response.writeHead(400).end('{}');
    };
    expect((await ask()).content).toBe('Found.');
    expect(model.requests).toHaveLength(2);
  });

  it('about thoughts is told that there were none', async () => {
    model.script = ({ messages }, response) => {
      const called = messages.filter((each) => each.tool_calls);
      if (called.some((each) => !('reasoning_content' in each))) return void response.writeHead(400).end('{}');
      return called.length > 1 ? completion('Found.') : completion(null, { name: 'find_appointments', args: {} });
    };
    expect((await ask(UNANSWERED)).content).toBe('Found.');
    expect(model.lastMessages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  it('is asked four times at most', async () => {
    refusing(400, () => true);
    await expect(ask(UNANSWERED)).rejects.toMatchObject({ why: 'http_error' });
    expect(model.requests).toHaveLength(4);
  });

  it('is told so from the first once it was learnt, for an hour', async () => {
    refusing(400, ({ messages }) => !speakInTurns(messages));
    await ask(UNANSWERED);
    model.forget();
    await ask(UNANSWERED);
    expect(model.requests).toHaveLength(2);
  });

  it('is not asked again where it says that it broke', async () => {
    refusing(500, () => true, 'out of memory');
    await expect(ask(UNANSWERED)).rejects.toMatchObject({ why: 'http_error' });
    expect(model.requests).toHaveLength(1);
  });

  it.each([401, 403, 429, 503])('is not asked again for another reason: HTTP %d', async (status) => {
    refusing(status, () => true);
    await expect(ask(UNANSWERED)).rejects.toMatchObject({ why: 'http_error' });
    expect(model.requests).toHaveLength(1);
  });
});
