import type { Clock } from '@ports/clock.port';
import type { SentMessage } from './conversation.commands.js';

/** One message on its way to its reply. It goes on when the client's window is over. */
export class MessageJob {
  /** Known once the thread is resolved. */
  conversationId: string | null = null;
  readonly outcome: Promise<SentMessage>;
  /** Resolves when the message is stored, or refused. */
  readonly settled: Promise<void>;
  /** Resolves when the process ends before the turn. */
  readonly cut: Promise<void>;
  /** Resolves `settled`. */
  settle: () => void = () => undefined;
  isCutShort = false;
  private tellCut: () => void = () => undefined;
  private waiting: (() => void)[] = [];
  private over = false;

  constructor(
    clock: Clock,
    readonly messageId: string,
    readonly windowEndsAt: number,
    work: (job: MessageJob) => Promise<SentMessage>,
  ) {
    const cancel = clock.after(windowEndsAt - clock.now(), () => this.endWindow());
    this.settled = new Promise((resolve) => (this.settle = resolve));
    this.cut = new Promise((resolve) => (this.tellCut = resolve));
    this.outcome = work(this);
    const end = () => {
      cancel();
      this.settle();
    };
    // Whoever waited may be gone by the time it fails; the outcome itself still rejects for those who ask.
    this.outcome.then(end, end);
  }

  /** Calls back when the window of the post that began this is over; never, once the outcome is there. */
  whenWindowIsOver(callback: () => void): void {
    if (this.over) callback();
    else this.waiting.push(callback);
  }

  /** The process is to end: the window is over, and the message is stored without waiting for the turn before. */
  cutShort(): void {
    this.isCutShort = true;
    this.tellCut();
    this.endWindow();
  }

  private endWindow(): void {
    this.over = true;
    for (const callback of this.waiting) callback();
    this.waiting = [];
  }
}
