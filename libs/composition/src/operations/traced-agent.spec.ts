import { Agent, AgentFailed, type AgentReply, type AgentTurn, type ToolResult } from '@ports/agent.port';
import { RecordedTraces } from '@testing/recorded-traces';
import { TracedAgent } from './traced-agent.js';

const NEVER = new AbortController().signal;

class Calling extends Agent {
  readonly name = 'calling';

  override async reply({ toolbox, content }: AgentTurn): Promise<AgentReply> {
    if (content === 'fail') throw new AgentFailed('timeout', content);
    for (const name of ['book', 'refuse', 'what a customer said']) await toolbox.call(name, {});
    return { content, actions: [{ type: 'handoff', summary: content }] } as unknown as AgentReply;
  }
}

const call = (name: string): Promise<ToolResult> =>
  Promise.resolve(name === 'book' ? { ok: true, result: {} } : { ok: false, code: 'starts_in_past', message: name });
const tools = ['book', 'refuse'].map((name) => ({ name, description: '', parameters: {} }));
const turnOf = (content: string) => ({ content, toolbox: { tools, call } }) as unknown as AgentTurn;

describe('an agent that is traced', () => {
  it('has a span with one for each call of a tool, which is named only where it is known', async () => {
    const traces = new RecordedTraces();
    const reply = await new TracedAgent(new Calling(), traces.tracer).reply(turnOf('words of a customer'), NEVER);
    expect(reply.content).toBe('words of a customer');
    const refused = { hasFailed: true, below: 'agent' };
    expect(await traces.spans()).toMatchObject([
      { name: 'tool', fields: { tool: 'book' }, hasFailed: false, below: 'agent' },
      { name: 'tool', fields: { tool: 'refuse', 'error.type': 'starts_in_past' }, ...refused },
      { name: 'tool', fields: { tool: 'unknown', 'error.type': 'starts_in_past' }, ...refused },
      { name: 'agent', fields: { agent: 'calling', actions: 1 }, hasFailed: false },
    ]);
  });

  it('fails as it does, and says why', async () => {
    const traces = new RecordedTraces();
    const asked = new TracedAgent(new Calling(), traces.tracer).reply(turnOf('fail'), NEVER);
    await expect(asked).rejects.toBeInstanceOf(AgentFailed);
    expect(await traces.spans()).toMatchObject([{ name: 'agent', hasFailed: true, fields: { 'error.type': 'timeout' } }]);
  });
});
