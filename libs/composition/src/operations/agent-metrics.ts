import { Agent, AgentFailed, type AgentReply, type AgentTurn } from '@ports/agent.port';
import type { Clock } from '@ports/clock.port';
import { Metrics } from '@platform/operations/metrics';

const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 110];

/** Counts and times the turns of an agent. */
export class AgentMetrics extends Agent {
  readonly name: string;
  private readonly ended: Record<string, number> = {
    answered: 0,
    unreachable: 0,
    timeout: 0,
    http_error: 0,
    malformed_reply: 0,
    internal: 0,
    other: 0,
  };
  /** The first of the latest failures in a row (`Clock.elapsed`); null while the agent answers. */
  private failingSince: number | null = null;
  private readonly took: (seconds: number) => void;

  constructor(
    private readonly agent: Agent,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super();
    this.name = agent.name;
    metrics.counters('agent_turns_total', 'Turns that the agent was asked, by how they ended.', 'outcome', () => this.ended);
    metrics.gauge('agent_failing_seconds', 'For how many seconds every turn has failed; 0 while the agent answers.', () =>
      this.failingSince === null ? 0 : (this.clock.elapsed() - this.failingSince) / 1_000,
    );
    this.took = metrics.durations('agent_turn_duration_seconds', 'How long the agent took, whatever came of it.', BUCKETS);
  }

  override async reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    const startedAt = this.clock.elapsed();
    try {
      const reply = await this.agent.reply(turn, signal);
      this.count('answered');
      this.failingSince = null;
      return reply;
    } catch (error) {
      this.count(error instanceof AgentFailed ? error.why : 'other');
      // Other errors, such as an unavailable store, are not failures of the agent.
      if (error instanceof AgentFailed) this.failingSince ??= startedAt;
      throw error;
    } finally {
      this.took((this.clock.elapsed() - startedAt) / 1_000);
    }
  }

  private count(outcome: string): void {
    this.ended[outcome] = (this.ended[outcome] ?? 0) + 1;
  }
}
