import type { Message } from './model-client.js';

export interface Line {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

interface Called {
  readonly message: Message;
  /** Of the model, when it called its tools. */
  readonly thoughts: string;
}

/** The customer first, then each in turn: what one says in a row is one message. White space is none, but for the last. */
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

/** As servers want it: as it is, in turns and with the thoughts there were, or with thoughts wherever tools were called. */
const MANNERS = ['plain', 'strict', 'strictest'] as const;
type Manner = (typeof MANNERS)[number];

/**
 * What a model is told in one turn: its instructions, the conversation, then its calls with their results. Some servers
 * refuse this unless customer and model speak in turns (templates of Mistral, Gemma and others), which they do not after a
 * message that had no reply, nor where the newest hundred messages begin with a reply; unless every message has words
 * (Claude's); or unless a model's thoughts are told with its calls, be they empty (DeepSeek), which others refuse.
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

  /** From now on tells it as stricter servers want it. False where it was told like that already. */
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
