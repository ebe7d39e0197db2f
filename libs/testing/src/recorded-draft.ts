import type { ReplyDraft } from '@ports/agent.port';

/** Records what an agent says before its reply is complete. */
export class RecordedDraft implements ReplyDraft {
  /** Every part in order; null is a reset. */
  readonly parts: (string | null)[] = [];
  private wakes: (() => void)[] = [];

  /** What was said and not taken back. */
  get text(): string {
    return this.parts.slice(this.parts.lastIndexOf(null) + 1).join('');
  }

  /** Also what was taken back. */
  get everSaid(): string {
    return this.parts.join('');
  }

  get resets(): number {
    return this.parts.filter((part) => part === null).length;
  }

  add(text: string): void {
    this.record(text);
  }

  reset(): void {
    this.record(null);
  }

  /** Resolves once this is the text. */
  async untilSaid(text: string): Promise<void> {
    while (this.text !== text) await new Promise<void>((resolve) => this.wakes.push(resolve));
  }

  private record(part: string | null): void {
    this.parts.push(part);
    for (const wake of this.wakes.splice(0)) wake();
  }
}
