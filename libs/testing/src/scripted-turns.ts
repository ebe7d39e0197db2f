import { Agent, type AgentReply, type AgentTurn } from '@ports/agent.port';

interface Asked {
  readonly turn: AgentTurn;
  readonly answer: (reply: AgentReply | Error) => void;
}

/** An agent whose replies a test gives: immediately through `byDefault`, or later through `asked`. */
export class PatientAgent extends Agent {
  /** A test may change it, as an operator changes `AGENT`. */
  name = 'patient';
  /** Every turn asked so far, oldest first. */
  readonly asked: Asked[] = [];
  byDefault: ((turn: AgentTurn) => AgentReply | Error) | null = null;

  reply(turn: AgentTurn, signal: AbortSignal): Promise<AgentReply> {
    return new Promise((resolve, reject) => {
      const answer = (reply: AgentReply | Error) => (reply instanceof Error ? reject(reply) : resolve(reply));
      this.asked.push({ turn, answer });
      signal.addEventListener('abort', () => answer(new Error('aborted')));
      if (this.byDefault) answer(this.byDefault(turn));
    });
  }
}

export function saying(content: string, ...actions: AgentReply['actions']): AgentReply {
  return { content, actions };
}
