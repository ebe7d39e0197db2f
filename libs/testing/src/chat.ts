import type { Agent, AgentReply, HandedBack, TranscriptLine } from '@ports/agent.port';
import { type TurnParts, agentTurn } from './agent-turn.js';

const NEVER = new AbortController().signal;

/** A conversation with an agent that starts on Monday, 2 March 2026 at 09:00 UTC, unless another time is given. */
export class Chat {
  private readonly lines: TranscriptLine[] = [];
  private handedBack: HandedBack | null = null;

  constructor(
    private readonly agent: Agent,
    private readonly parts: Omit<TurnParts, 'content'> = {},
    private now = Date.UTC(2026, 2, 2, 9),
  ) {}

  async reply(content: string): Promise<AgentReply> {
    const turn = agentTurn({ ...this.parts, content, before: [...this.lines], now: this.now, handedBack: this.handedBack });
    const reply = await this.agent.reply(turn, NEVER);
    const { note } = reply;
    const answer = { role: 'assistant', content: reply.content, at: this.now + 1, ...(note !== undefined && { note }) } as const;
    this.lines.push({ role: 'user', content, at: this.now }, answer);
    this.now += 10_000;
    return reply;
  }

  /** A human takes the conversation, says this in the agent's place, and gives it back. */
  handBack(...said: readonly string[]): void {
    const handedOffAt = this.now;
    for (const content of said) this.lines.push({ role: 'assistant', content, at: this.now, human: 'Kim' });
    this.now += 10_000;
    this.handedBack = { handedOffAt, resumedAt: this.now, note: null };
  }

  /** Sends the messages in turn and returns the text of the last reply. */
  async say(...contents: string[]): Promise<string> {
    let last = '';
    for (const content of contents) last = (await this.reply(content)).content;
    return last;
  }
}
