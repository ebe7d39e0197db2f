import type { Agent, AgentReply, TranscriptLine } from '@ports/agent.port';
import { type TurnParts, agentTurn } from './agent-turn.js';

const NEVER = new AbortController().signal;

/** A conversation with an agent that starts on Monday, 2 March 2026 at 09:00 UTC, unless another time is given. */
export class Chat {
  private readonly lines: TranscriptLine[] = [];

  constructor(
    private readonly agent: Agent,
    private readonly parts: Omit<TurnParts, 'content'> = {},
    private now = Date.UTC(2026, 2, 2, 9),
  ) {}

  async reply(content: string): Promise<AgentReply> {
    const turn = agentTurn({ ...this.parts, content, before: [...this.lines], now: this.now });
    const reply = await this.agent.reply(turn, NEVER);
    const { note } = reply;
    const answer = { role: 'assistant', content: reply.content, at: this.now + 1, ...(note !== undefined && { note }) } as const;
    this.lines.push({ role: 'user', content, at: this.now }, answer);
    this.now += 10_000;
    return reply;
  }

  /** Sends the messages in turn and returns the text of the last reply. */
  async say(...contents: string[]): Promise<string> {
    let last = '';
    for (const content of contents) last = (await this.reply(content)).content;
    return last;
  }
}
