import type { Clock } from '@ports/clock.port';
import type { SentMessage } from './conversation.commands.js';

/** One message on its way to its reply. It goes on when the client's window is over. */
export class MessageJob {
  /** Known once the thread is resolved. */
  conversationId: string | null = null;
  readonly outcome: Promise<SentMessage>;
  private waiting: (() => void)[] = [];
  private over = false;

  constructor(
    clock: Clock,
    readonly messageId: string,
    readonly windowEndsAt: number,
    work: (job: MessageJob) => Promise<SentMessage>,
  ) {
    const cancel = clock.after(windowEndsAt - clock.now(), () => this.endWindow());
    this.outcome = work(this);
    // Whoever waited may be gone by the time it fails; the outcome itself still rejects for those who ask.
    this.outcome.then(cancel, cancel);
  }

  /** Calls back when the window of the post that began this is over; never, once the outcome is there. */
  whenWindowIsOver(callback: () => void): void {
    if (this.over) callback();
    else this.waiting.push(callback);
  }

  private endWindow(): void {
    this.over = true;
    for (const callback of this.waiting) callback();
    this.waiting = [];
  }
}
