import type { Clock } from '@ports/clock.port';

/** What a server needs: alternating messages, thoughts with every call, or to be told without a part of a usual request. */
export type Need = 'turns' | 'thoughts' | 'no_system' | 'no_tools' | 'no_tool_choice';

const HOUR_MS = 3_600_000;
const TOLD: Readonly<Record<Need, string>> = {
  turns: 'takes alternating messages only: messages without a reply are joined',
  thoughts: 'wants thoughts with every tool call: it is sent them, be they empty',
  no_system: 'takes no system message: the instructions stand in the first message',
  no_tools: 'takes no tools: only talk, handing over and ending work, and appointments can neither be looked up nor changed',
  no_tool_choice: 'takes no tool_choice: it is not sent',
};

/** What is learnt of a model server, for an hour. What it says of a content is never learnt: that is about one message. */
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

  /** The longest prompt that is told at once, in characters. */
  get longestPrompt(): number {
    return this.size !== null && this.isFresh(this.size.at) ? this.size.most : Infinity;
  }

  remember(need: Need): void {
    this.rememberedAt.set(need, this.clock.elapsed());
    if (this.logged.has(need)) return;
    this.logged.add(need);
    this.log(`the model server ${TOLD[need]}`);
  }

  /** The server refused a prompt of this length. */
  rememberTooLong(characters: number): void {
    const most = Math.floor(Math.min(characters, this.longestPrompt) / 2);
    this.size = { most, at: this.clock.elapsed() };
    this.log(`the model server takes no prompt of ${characters} characters: at most ${most} are told for an hour`);
  }

  private isFresh(at: number): boolean {
    return this.clock.elapsed() - at < HOUR_MS;
  }
}
