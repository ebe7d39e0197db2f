import { agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, type ModelRequest, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;

describe('a model server that lacks something', () => {
  let model: FakeModel;
  let agent: OpenAiAgent;
  let logged: string[];

  beforeAll(async () => {
    model = await FakeModel.start();
  });

  beforeEach(() => {
    model.forget();
    logged = [];
    const options = { baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 10_000 };
    agent = new OpenAiAgent(options, new FakeClock(), (line) => logged.push(line));
  });

  afterAll(() => model.stop());

  const ask = (content = 'Hello') =>
    agent.reply(agentTurn({ content, instructions: 'Be kind.', toolbox: new FakeLedger() }), NEVER);

  function lacking(isRefused: (request: ModelRequest) => boolean, message: string, reply = 'Fine.', status = 400): void {
    model.script = (request, response) =>
      isRefused(request) ? void response.writeHead(status).end(JSON.stringify({ error: { message } })) : completion(reply);
  }

  const hasSystem = ({ messages }: ModelRequest) => messages.some(({ role }) => role === 'system');
  const hasTools = ({ tools }: ModelRequest) => tools !== undefined;

  it.each([
    ['System role not supported', 400],
    ['Only user and assistant roles are supported!', 400],
    ['Conversation roles must alternate user/assistant/user/assistant/...', 500],
    ["Unsupported value: 'messages[0].role' does not support 'system' with this model.", 400],
    ['Bad request', 400],
    ['', 422],
  ])('as a system role is told its instructions in the first message: %s', async (message, status) => {
    lacking(hasSystem, message, 'Fine.', status);
    expect((await ask()).content).toBe('Fine.');
    expect(model.lastMessages.map(({ role }) => role)).toEqual(['user']);
    expect(model.lastMessages[0]?.content).toMatch(/^Be kind\.[\s\S]*Hello$/);
    expect(model.requests.at(-1)).toHaveProperty('tools');
    await ask();
    expect(model.requests).toHaveLength(3);
    expect(logged.filter((line) => line.includes('takes no system message'))).toHaveLength(1);
  });

  it.each([
    ['m does not support tools', 400],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    ['tools param requires --jinja flag', 500],
    ['No endpoints found that support tool use.', 404],
    ['Bad request', 400],
  ])('as tools is asked without them, and it is logged once: %s', async (message, status) => {
    lacking(hasTools, message, 'Fine.', status);
    expect(await ask()).toEqual({ content: 'Fine.', actions: [] });
    model.forget();
    await ask();
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]).not.toHaveProperty('tool_choice');
    expect(logged.filter((line) => line.includes('takes no tools'))).toHaveLength(1);
  });

  it('as tools hands over and ends by a word of its own', async () => {
    lacking(
      hasTools,
      'm does not support tools',
      '{"name":"hand_off_to_human","arguments":{"reason":"asked","summary":"A discount."}}',
    );
    expect(await ask('A human, please')).toEqual({
      content: '',
      actions: [{ type: 'handoff', reason: 'asked', summary: 'A discount.' }],
    });
    expect(model.lastMessages[0]?.content).toContain('{"name":"hand_off_to_human"');
    lacking(hasTools, '', '```json\n{"name":"end_conversation","arguments":{"reason":"resolved"}}\n```');
    expect(await ask('Bye')).toEqual({ content: '', actions: [{ type: 'end_conversation', reason: 'resolved' }] });
  });

  it('as tools runs a call that its model makes all the same', async () => {
    const ledger = new FakeLedger();
    model.script = ({ tools, messages }, response) => {
      if (tools !== undefined) return void response.writeHead(400).end('{"error":{"message":"No tools"}}');
      const args = { service: 'cut', starts_at: '2026-03-03T10:00:00Z' };
      return messages.at(-1)?.role === 'tool'
        ? completion('Done.')
        : completion(null, { name: 'functions.book_appointment', args });
    };
    expect((await agent.reply(agentTurn({ content: 'Book me in', toolbox: ledger }), NEVER)).content).toBe('Done.');
    expect(ledger.appointments).toHaveLength(1);
  });

  it('as a reader of what its own model wrote is asked once more, with tools, and nothing is learnt of that', async () => {
    const message = `error parsing tool call: raw='{"service":' err=unexpected end of JSON input`;
    model.script = (_, response) =>
      model.requests.length === 1
        ? void response.writeHead(500).end(JSON.stringify({ error: { message } }))
        : completion('Fine.');
    expect((await ask()).content).toBe('Fine.');
    expect(model.requests.map(({ tools }) => tools !== undefined)).toEqual([true, true]);
    expect(logged).toEqual([]);
  });

  it('as both is told of each', async () => {
    model.script = (request, response) => {
      const message = hasSystem(request) ? 'System role not supported' : hasTools(request) ? 'No tools' : null;
      return message === null ? completion('Fine.') : void response.writeHead(400).end(JSON.stringify({ error: { message } }));
    };
    expect((await ask()).content).toBe('Fine.');
    model.forget();
    await ask();
    expect(model.requests).toHaveLength(1);
  });

  it('as tool_choice is not sent it, after the fifth round either', async () => {
    model.script = ({ tool_choice, messages }, response) => {
      if (tool_choice !== undefined)
        return void response.writeHead(400).end('{"error":{"message":"tool_choice is not supported"}}');
      const rounds = messages.filter(({ tool_calls }) => tool_calls).length;
      return rounds < 5 ? completion(null, { name: 'find_appointments', args: {} }) : completion('Fine.');
    };
    expect((await ask()).content).toBe('Fine.');
    expect(model.requests.map(({ tool_choice }) => tool_choice)).toEqual([...Array(5).fill(undefined), 'none', undefined]);
    model.forget();
    await ask();
    expect(model.requests.map(({ tool_choice }) => tool_choice)).toEqual(Array(6).fill(undefined));
  });
});
