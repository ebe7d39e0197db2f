import { AgentFailed } from '@ports/agent.port';
import { agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;
const KEY = 'sk-not-to-be-seen';
const SECRET = 'my PIN is 4711';

function agentOn(baseUrl: string, timeoutMs = 10_000): OpenAiAgent {
  return new OpenAiAgent({ baseUrl, apiKey: KEY, model: 'tiny', timeoutMs }, new FakeClock());
}

describe('a model server that fails', () => {
  let model: FakeModel;
  let agent: OpenAiAgent;

  beforeAll(async () => {
    model = await FakeModel.start();
    agent = agentOn(model.baseUrl);
  });

  beforeEach(() => model.forget());

  afterAll(() => model.stop());

  const ask = () => agent.reply(agentTurn({ content: SECRET }), NEVER);

  async function failure(reply: Promise<unknown> = ask()): Promise<AgentFailed> {
    const error: unknown = await reply.then(
      () => new Error('The agent replied.'),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(AgentFailed);
    const seen = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack ?? ''} ${String((error as Error).cause)}`;
    expect(seen).not.toMatch(/4711|not-to-be-seen|sk-/);
    return error as AgentFailed;
  }

  it.each([
    ['no choices', { choices: [] }],
    ['an error in a 200', { error: { message: SECRET } }],
    ['no message', { choices: [{}] }],
    ['a list', []],
    ['a number', 5],
  ])('is a malformed reply for %s', async (_name, body) => {
    model.script = () => body;
    expect((await failure()).why).toBe('malformed_reply');
  });

  it.each(['<html>oops</html>', '{"choices":[{"mess', ''])('is a malformed reply for the body %j', async (body) => {
    model.script = (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    expect((await failure()).why).toBe('malformed_reply');
  });

  it('is a malformed reply for a body without end', async () => {
    model.script = (_, response) => {
      const more = () => void (response.destroyed || response.write(' '.repeat(65_536), more));
      more();
    };
    expect((await failure()).why).toBe('malformed_reply');
  });

  it.each([401, 403, 500, 502, 304, 307])('is an HTTP error for %d, asked once', async (status) => {
    model.script = (_, response) =>
      void response
        .writeHead(status, { location: `${model.baseUrl}/elsewhere`, 'retry-after': '0' })
        .end(JSON.stringify({ error: { message: `${SECRET} ${KEY}` } }));
    const { why, message } = await failure();
    expect(why).toBe('http_error');
    expect(message).toContain(String(status));
    expect(model.requests).toHaveLength(1);
  });

  it('is unreachable where nobody listens, or the line breaks', async () => {
    const gone = await FakeModel.start();
    const { baseUrl } = gone;
    await gone.stop();
    expect((await failure(agentOn(baseUrl).reply(agentTurn({ content: SECRET }), NEVER))).why).toBe('unreachable');
    model.script = (_, response) => void response.destroy();
    expect((await failure()).why).toBe('unreachable');
  });

  it.each(['before', 'within'])('is a timeout for a server that falls silent %s its answer', async (when) => {
    model.script = (_, response) => void (when === 'within' && response.writeHead(200).write('{"choices":'));
    expect((await failure(agentOn(model.baseUrl, 150).reply(agentTurn({ content: SECRET }), NEVER))).why).toBe('timeout');
  });

  it('is a timeout when the turn is given up, and the request is dropped', async () => {
    const giveUp = new AbortController();
    const dropped = new Promise((resolve) => {
      model.script = (_, response) => {
        response.on('close', resolve);
        giveUp.abort();
      };
    });
    const patient = agentOn(model.baseUrl, 600_000);
    expect((await failure(patient.reply(agentTurn({ content: SECRET }), giveUp.signal))).why).toBe('timeout');
    await dropped;
  });

  it('is not asked what cannot be written, and the kind of failure is told', async () => {
    const parameters = { most: 5n };
    const toolbox = {
      tools: [{ name: 'count', description: SECRET, parameters }],
      call: () => Promise.reject(new Error(SECRET)),
    };
    const { why, message } = await failure(agent.reply(agentTurn({ content: SECRET, toolbox }), NEVER));
    expect([why, message]).toEqual(['internal', 'The request to the model server failed: TypeError.']);
    expect(model.requests).toEqual([]);
  });

  it('runs no tool once the turn is given up', async () => {
    const giveUp = new AbortController();
    const ledger = new FakeLedger();
    model.script = (_, response) => {
      response.end(JSON.stringify(completion(null, { name: 'find_appointments', args: {} })));
      giveUp.abort();
    };
    await failure(agent.reply(agentTurn({ content: SECRET, toolbox: ledger }), giveUp.signal));
    expect(ledger.calls).toEqual([]);
  });
});

it('a model server is sent what the operator adds to every request, whatever the environment has', async () => {
  const model = await FakeModel.start();
  const more = {
    query: { 'api-version': '2024-10-21', b: 'ä&=' },
    headers: { 'api-key': 'own', Authorization: 'Basic own', 'x-org': 'ours' },
  };
  const options = { baseUrl: `${model.baseUrl}/`, apiKey: KEY, model: 'tiny', timeoutMs: 10_000, ...more };
  process.env['OPENAI_CUSTOM_HEADERS'] = 'X-Org: another';
  try {
    await new OpenAiAgent(options, new FakeClock()).reply(agentTurn({ content: 'Hi' }), NEVER);
  } finally {
    delete process.env['OPENAI_CUSTOM_HEADERS'];
    await model.stop();
  }
  expect(model.urls[0]).toBe('/v1/chat/completions?api-version=2024-10-21&b=%C3%A4%26%3D');
  expect(model.headers[0]).toMatchObject({ 'api-key': 'own', authorization: 'Basic own', 'x-org': 'ours' });
});
