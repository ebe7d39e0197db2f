import type { AgentTurn, CustomerMemory, ToolDescription, TranscriptLine } from '@ports/agent.port';
import { briefing } from './briefing.js';
import { type Extent, alone, answered, fitted, half, here } from './extent.js';
import { meanwhile } from './boundary-note.js';
import type { Message, Question } from './model-client.js';
import type { Need } from './server-state.js';
import { attributed } from './transcript-line.js';

type Line = Pick<TranscriptLine, 'role' | 'content'>;

interface Called {
  readonly message: Message;
  readonly thoughts: string;
}

/** Strictly alternating, customer first: joins consecutive messages of one side, and drops blank ones except the last. */
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

/** Puts the instructions before the customer's first message, or in a message of their own before a reply. */
function instructed(instructions: string, lines: readonly Line[]): readonly Line[] {
  const [first, ...others] = lines;
  return first?.role === 'user'
    ? [{ role: 'user', content: `${instructions}\n\n---\n\n${first.content}` }, ...others]
    : [{ role: 'user', content: instructions }, ...lines];
}

export type Remedy = Need | 'answered' | 'less' | 'least';

const LESS = [half, here, alone];
const AT_THE_BEGINNING: readonly Remedy[] = ['no_system', 'no_tools'];

/**
 * The messages of a turn in the form the server needs. Some accept only alternating messages (templates of Mistral, Gemma and others),
 * which a conversation lacks after a message without a reply, or if its newest hundred begin with a reply. Some require content in every
 * message (Claude), or reasoning with each tool call, even if empty (DeepSeek), which others refuse.
 */
export class Dialogue {
  private readonly since: Called[] = [];
  private readonly needs: Set<Need>;
  private readonly saidAt: number;
  private extent: Extent;
  private cuts = 0;
  private isBrief = false;

  constructor(
    private readonly turn: AgentTurn,
    lines: readonly TranscriptLine[],
    remembered: CustomerMemory,
    needs: Iterable<Need> = [],
  ) {
    this.extent = { lines, remembered, meanwhile: meanwhile(turn, lines), isAlone: false };
    this.needs = new Set(needs);
    this.saidAt = lines.at(-1)?.at ?? turn.now;
  }

  get length(): number {
    return JSON.stringify(this.messages).length;
  }

  get messages(): readonly Message[] {
    const { needs, isBrief } = this;
    const { lines, remembered, ...told } = this.extent;
    const hasTools = !needs.has('no_tools');
    const instructions = briefing(this.turn, remembered, this.saidAt, { hasTools, isBrief, ...told });
    const isInTurns = needs.has('turns') || needs.has('thoughts');
    const all = lines.map((line) => ({ role: line.role, content: attributed(line) }));
    const said = isInTurns ? inTurns(all) : all;
    const written = needs.has('no_system') ? instructed(instructions, said) : said;
    const head = needs.has('no_system') ? [] : [{ role: 'system', content: instructions } as const];
    return [...head, ...written, ...this.since.map((called) => this.withThoughts(called, isInTurns))];
  }

  question(tools: readonly ToolDescription[], mayCallTools: boolean): Question {
    const { messages, needs } = this;
    const told = needs.has('no_tools') ? [] : tools;
    const mustSpeak = !mayCallTools && told.length > 0 && !needs.has('no_tool_choice');
    // The words of a text that begins in thoughts are known once it is complete.
    const isStreamed = !needs.has('no_stream') && !needs.has('whole');
    return { messages, tools: told, mustSpeak, isStreamed, callable: tools.map(({ name }) => name) };
  }

  add(message: Message, thoughts = ''): void {
    this.since.push({ message, thoughts });
  }

  /** Shortens the prompt to so many characters, as far as possible. */
  shortenTo(characters: number): void {
    if (characters === Infinity || this.length <= characters) return;
    const whole = this.extent;
    this.extent = fitted(whole, 0);
    const spare = characters - this.length;
    this.extent = spare >= 0 ? fitted(whole, spare) : alone(whole);
    this.cuts = LESS.indexOf(spare >= 0 ? here : alone) + 1;
  }

  askBriefly(): void {
    this.isBrief = true;
  }

  /** Applies a remedy. False if it changes nothing, or comes too late because the model has called tools. */
  become(remedy: Remedy, tools: readonly ToolDescription[], mayCallTools: boolean): boolean {
    if (remedy === 'answered') return this.cut([answered]);
    if (remedy === 'less' || remedy === 'least') return this.shorten(remedy === 'least');
    if (this.needs.has(remedy) || (this.since.length > 0 && AT_THE_BEGINNING.includes(remedy))) return false;
    const before = JSON.stringify(this.question(tools, mayCallTools));
    this.needs.add(remedy);
    const isChanged = JSON.stringify(this.question(tools, mayCallTools)) !== before;
    if (!isChanged) this.needs.delete(remedy);
    return isChanged;
  }

  private shorten(isLeast: boolean): boolean {
    if (isLeast) this.cuts = LESS.length - 1;
    return this.cut(LESS.slice(this.cuts), () => (this.cuts += 1));
  }

  private cut(cuts: readonly ((extent: Extent) => Extent)[], taking = () => 0): boolean {
    const before = this.length;
    return cuts.some((cut) => {
      taking();
      this.extent = cut(this.extent);
      return this.length < before;
    });
  }

  private withThoughts({ message, thoughts }: Called, isInTurns: boolean) {
    const isThoughtful = message.role === 'assistant' && (this.needs.has('thoughts') || thoughts !== '');
    return isInTurns && isThoughtful ? { ...message, reasoning_content: thoughts } : message;
  }
}
