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

/**
 * What a model is told in one turn: its instructions, the conversation, then its calls with their results. Some servers
 * refuse this unless customer and model speak in turns (templates of Mistral, Gemma and others), which they do not after a
 * message that had no reply, nor where the newest hundred messages begin with a reply; unless every message has words
 * (Claude's); or unless a model's thoughts are told with its calls (DeepSeek), which others refuse.
 */
export class Dialogue {
  private readonly since: Called[] = [];
  private isStrict = false;

  constructor(
    private readonly system: string,
    private readonly lines: readonly Line[],
  ) {}

  get messages(): readonly Message[] {
    const lines = this.isStrict ? inTurns(this.lines) : this.lines;
    const since = this.since.map(({ message, thoughts }) =>
      this.isStrict && thoughts !== '' ? { ...message, reasoning_content: thoughts } : message,
    );
    return [{ role: 'system', content: this.system }, ...lines.map(({ role, content }) => ({ role, content })), ...since];
  }

  add(message: Message, thoughts = ''): void {
    this.since.push({ message, thoughts });
  }

  /** From now on tells it as the strictest servers want it. False where it was told like that already. */
  becomeStrict(): boolean {
    if (this.isStrict) return false;
    this.isStrict = inTurns(this.lines).length < this.lines.length || this.since.some(({ thoughts }) => thoughts !== '');
    return this.isStrict;
  }
}
