import type { Message } from './model-client.js';

export interface Line {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

interface Called {
  readonly message: Message;
  /** The model's reasoning before its tool calls; empty where there is none. */
  readonly thoughts: string;
}

/** Strictly alternating, the customer first: consecutive messages of one side are joined. Blank messages are dropped, but the last. */
function inTurns(lines: readonly Line[]): readonly Line[] {
  const turns: Line[] = [];
  for (const [index, { role, content }] of lines.entries()) {
    const last = turns.at(-1);
    if (!last && role === 'assistant') continue;
    if (content.trim() === '' && index < lines.length - 1) continue;
    if (last?.role === role) turns.splice(-1, 1, { role, content: `${last.content}\n\n${content}` });
    else turns.push({ role, content });
  }
  return turns;
}

/** Unchanged; alternating and with the reasoning there is; alternating and with reasoning, maybe empty, on every tool call. */
const MANNERS = ['plain', 'strict', 'strictest'] as const;
type Manner = (typeof MANNERS)[number];

/**
 * The messages of one turn: the instructions, the conversation, then tool calls with their results. Some servers accept only
 * alternating messages (templates of Mistral, Gemma and others), which a conversation has not after a message without a reply, nor
 * where the newest hundred messages begin with a reply. Some require content in every message (Claude), or the reasoning with
 * each tool call, even if empty (DeepSeek), which others refuse.
 */
export class Dialogue {
  private readonly since: Called[] = [];
  private manner: Manner = 'plain';

  constructor(
    private readonly system: string,
    private readonly lines: readonly Line[],
  ) {}

  get messages(): readonly Message[] {
    return this.told(this.manner);
  }

  add(message: Message, thoughts = ''): void {
    this.since.push({ message, thoughts });
  }

  /** Switches to the next stricter form that differs. False where there is none. */
  becomeStricter(): boolean {
    const now = JSON.stringify(this.messages);
    const stricter = MANNERS.slice(MANNERS.indexOf(this.manner) + 1).find((manner) => JSON.stringify(this.told(manner)) !== now);
    this.manner = stricter ?? this.manner;
    return stricter !== undefined;
  }

  private told(manner: Manner): readonly Message[] {
    const lines = manner === 'plain' ? this.lines : inTurns(this.lines);
    const since = this.since.map(({ message, thoughts }) => {
      const isThoughtful = message.role === 'assistant' && (manner === 'strictest' || thoughts !== '');
      return manner !== 'plain' && isThoughtful ? { ...message, reasoning_content: thoughts } : message;
    });
    return [{ role: 'system', content: this.system }, ...lines.map(({ role, content }) => ({ role, content })), ...since];
  }
}
