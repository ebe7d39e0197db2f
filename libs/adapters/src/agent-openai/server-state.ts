import type { Clock } from '@ports/clock.port';

export type Need = 'turns' | 'thoughts' | 'no_system' | 'no_tools' | 'no_tool_choice' | 'no_stream' | 'whole';

const HOUR_MS = 3_600_000;
const EFFECTS: Readonly<Record<Need, string>> = {
  turns: 'accepts only alternating messages: messages without a reply are joined',
  thoughts: 'requires thoughts with every tool call: they are sent, even if empty',
  no_system: 'takes no system message: the instructions are put into the first message',
  no_tools: 'takes no tools: it can talk, hand over and end, but neither look up nor change appointments',
  no_tool_choice: 'takes no tool_choice: it is not sent',
  no_stream: 'takes no stream: replies come in one piece',
  whole: 'leaves thoughts in its text without a mark before them: replies come in one piece',
};

/** What was learnt about a model server, for an hour. Refusals of content are not learnt: they concern one message. */
export class ServerState {
  private readonly rememberedAt = new Map<Need, number>();
  private readonly logged = new Set<Need>();
  private size: { readonly most: number; readonly at: number } | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly log: (line: string) => void,
  ) {}

  get needs(): ReadonlySet<Need> {
    return new Set([...this.rememberedAt].filter(([, at]) => this.isFresh(at)).map(([need]) => need));
  }

  /** In characters. */
  get longestPrompt(): number {
    return this.size !== null && this.isFresh(this.size.at) ? this.size.most : Infinity;
  }

  remember(need: Need): void {
    this.rememberedAt.set(need, this.clock.elapsed());
    if (this.logged.has(need)) return;
    this.logged.add(need);
    this.log(`the model server ${EFFECTS[need]}`);
  }

  rememberTooLong(characters: number): void {
    const most = Math.floor(Math.min(characters, this.longestPrompt) / 2);
    this.size = { most, at: this.clock.elapsed() };
    this.log(`the model server accepts no prompt of ${characters} characters: at most ${most} are sent for an hour`);
  }

  private isFresh(at: number): boolean {
    return this.clock.elapsed() - at < HOUR_MS;
  }
}
