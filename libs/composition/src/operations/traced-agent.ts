import { Agent, type AgentReply, type AgentTurn, type Toolbox } from '@ports/agent.port';
import type { Span, Tracer } from '@ports/tracer.port';

/** Passes every turn on to an agent, in a span with one for each call of a tool. */
export class TracedAgent extends Agent {
  readonly name: string;

  constructor(
    private readonly agent: Agent,
    private readonly tracer: Tracer,
  ) {
    super();
    this.name = agent.name;
  }

  override reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    const traced = Object.create(turn, { toolbox: { value: this.tracedToolbox(turn.toolbox) } }) as AgentTurn;
    return this.tracer.run('agent', { agent: this.name }, (span) => this.ask(traced, signal, span));
  }

  private async ask(turn: AgentTurn, signal: AbortSignal, span: Span): Promise<AgentReply> {
    const reply = await this.agent.reply(turn, signal);
    span.set({ actions: reply.actions.length });
    return reply;
  }

  private tracedToolbox(toolbox: Toolbox): Toolbox {
    const known = new Set(toolbox.tools.map(({ name }) => name));
    const call: Toolbox['call'] = (name, args) =>
      // A model may call a tool by any text.
      this.tracer.run('tool', { tool: known.has(name) ? name : 'unknown' }, async (span) => {
        const result = await toolbox.call(name, args);
        if (!result.ok) span.fail(result.code);
        return result;
      });
    return { tools: toolbox.tools, call };
  }
}
