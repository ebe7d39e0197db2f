import type { ReplyDraft } from '@ports/agent.port';

/** The position of a reader of a reply: in which run of the agent, and after how many code points. */
export interface ReplyPlace {
  readonly run: string;
  readonly points: number;
}

const RUN = /^[\w-]{1,40}$/;

export function isReplyRun(text: string): boolean {
  return RUN.test(text);
}

const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

/** A reply that the agent is still writing. A reset begins another run, so that no reader takes its text for the one before. */
export class LiveReply implements ReplyDraft {
  private said = '';
  /** Half a character, until its other half comes. */
  private held = '';
  private resets = 0;

  /** `turn` names this execution of the turn. A reply whose text is still changed at the end is not said before. */
  constructor(
    private readonly turn: string,
    private readonly isChangedAtEnd: boolean,
    private readonly changed: () => void,
  ) {}

  get run(): string {
    return this.resets === 0 ? this.turn : `${this.turn}-${this.resets}`;
  }

  get text(): string {
    return this.said;
  }

  add(text: string): void {
    if (!this.isChangedAtEnd) this.append(text);
  }

  reset(): void {
    this.held = '';
    if (this.said === '') return;
    this.said = '';
    this.resets += 1;
    this.changed();
  }

  /** The reply as it will be stored: what was said becomes equal to it. */
  complete(content: string): void {
    this.held = '';
    if (!content.startsWith(this.said)) this.reset();
    this.append(content.slice(this.said.length));
  }

  private append(text: string): void {
    const whole = this.held + text;
    this.held = HIGH_SURROGATE_AT_END.exec(whole)?.[0] ?? '';
    const ready = whole.slice(0, whole.length - this.held.length);
    if (ready === '') return;
    this.said += ready;
    this.changed();
  }
}

/** The rest of a text after so many code points. */
export function afterPoints(text: string, points: number): string {
  let index = 0;
  for (let left = points; left > 0 && index < text.length; left -= 1) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(index);
}
