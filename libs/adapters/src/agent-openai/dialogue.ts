import type { AgentTurn, CustomerMemory, ToolDescription, TranscriptLine } from '@ports/agent.port';
import { briefing } from './briefing.js';
import { type Extent, alone, answered, fitted, half, here } from './extent.js';
import type { Message, Question } from './model-client.js';
import type { Need } from './server-state.js';

type Line = Pick<TranscriptLine, 'role' | 'content'>;

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

/** The instructions at the head of the customer's first message, or as one before a reply. */
function instructed(instructions: string, lines: readonly Line[]): readonly Line[] {
  const [first, ...others] = lines;
  return first?.role === 'user'
    ? [{ role: 'user', content: `${instructions}\n\n---\n\n${first.content}` }, ...others]
    : [{ role: 'user', content: instructions }, ...lines];
}

/** How the request to a model may be changed when its server refuses it. */
export type Remedy = Need | 'answered' | 'less' | 'least';

const LESS = [half, here, alone];
const AT_THE_BEGINNING: readonly Remedy[] = ['no_system', 'no_tools'];

/**
 * The messages of one turn: the instructions, the conversation, then tool calls with their results, told as the server needs
 * them. Some accept only alternating messages (templates of Mistral, Gemma and others), which a conversation has not after a
 * message without a reply, nor where the newest hundred messages begin with a reply. Some require content in every message
 * (Claude), or the reasoning with each tool call, even if empty (DeepSeek), which others refuse.
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
    this.extent = { lines, remembered, isAlone: false };
    this.needs = new Set(needs);
    this.saidAt = lines.at(-1)?.at ?? turn.now;
  }

  /** The length of what is told, in characters. */
  get length(): number {
    return JSON.stringify(this.messages).length;
  }

  get messages(): readonly Message[] {
    const { needs, isBrief } = this;
    const { lines, remembered, isAlone } = this.extent;
    const hasTools = !needs.has('no_tools');
    const instructions = briefing(this.turn, remembered, this.saidAt, { hasTools, isAlone, isBrief });
    const isInTurns = needs.has('turns') || needs.has('thoughts');
    const said = isInTurns ? inTurns(lines) : lines.map(({ role, content }) => ({ role, content }));
    const told = needs.has('no_system') ? instructed(instructions, said) : said;
    const head = needs.has('no_system') ? [] : [{ role: 'system', content: instructions } as const];
    return [...head, ...told, ...this.since.map((called) => this.withThoughts(called, isInTurns))];
  }

  question(tools: readonly ToolDescription[], mayCallTools: boolean): Question {
    const { messages, needs } = this;
    const told = needs.has('no_tools') ? [] : tools;
    const mustSpeak = !mayCallTools && told.length > 0 && !needs.has('no_tool_choice');
    return { messages, tools: told, mustSpeak, callable: tools.map(({ name }) => name) };
  }

  add(message: Message, thoughts = ''): void {
    this.since.push({ message, thoughts });
  }

  /** Tells no more than fits into so many characters, as far as that can be. */
  tellAtMost(characters: number): void {
    if (characters === Infinity || this.length <= characters) return;
    const whole = this.extent;
    this.extent = fitted(whole, 0);
    const spare = characters - this.length;
    this.extent = spare >= 0 ? fitted(whole, spare) : alone(whole);
    this.cuts = LESS.indexOf(spare >= 0 ? here : alone) + 1;
  }

  /** Asks for a short answer. */
  askBriefly(): void {
    this.isBrief = true;
  }

  /** Changes what is told. False where that changes nothing, or cannot be done once the model has called tools. */
  become(remedy: Remedy, tools: readonly ToolDescription[], mayCallTools: boolean): boolean {
    if (remedy === 'answered') return this.cut([answered]);
    if (remedy === 'less' || remedy === 'least') return this.tellLess(remedy === 'least');
    if (this.needs.has(remedy) || (this.since.length > 0 && AT_THE_BEGINNING.includes(remedy))) return false;
    const before = JSON.stringify(this.question(tools, mayCallTools));
    this.needs.add(remedy);
    const isChanged = JSON.stringify(this.question(tools, mayCallTools)) !== before;
    if (!isChanged) this.needs.delete(remedy);
    return isChanged;
  }

  private tellLess(isLeast: boolean): boolean {
    if (isLeast) this.cuts = LESS.length - 1;
    return this.cut(LESS.slice(this.cuts), () => (this.cuts += 1));
  }

  /** The first of these cuts that leaves less. */
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
