import type { SentMessage } from '../conversation.commands.js';

/** One message on its way to its reply. It goes on when the client's window is over. */
export class MessageJob {
  /** Known once the thread is resolved. */
  conversationId: string | null = null;
  readonly outcome: Promise<SentMessage>;
  isCutShort = false;
  private isSettled = false;
  private over = false;
  private readonly untilSettled: (() => void)[] = [];
  private readonly untilCut: (() => void)[] = [];
  private readonly untilOver: (() => void)[] = [];

  constructor(
    readonly messageId: string,
    readonly windowEndsAt: number,
    work: (job: MessageJob) => Promise<SentMessage>,
  ) {
    this.outcome = work(this);
    const end = () => this.settle();
    // Whoever waited may be gone by the time it fails; the outcome itself still rejects for those who ask.
    this.outcome.then(end, end);
  }

  /** Resolves when the message is stored, or refused. */
  get settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    return new Promise((resolve) => this.untilSettled.push(resolve));
  }

  /** Resolves when the process ends before the turn. */
  get cut(): Promise<void> {
    if (this.isCutShort) return Promise.resolve();
    return new Promise((resolve) => this.untilCut.push(resolve));
  }

  /** It was found where an earlier execution had stored it. */
  foundIn(conversationId: string): void {
    this.conversationId = conversationId;
    this.settle();
  }

  /** Resolves `settled`. */
  settle(): void {
    this.isSettled = true;
    this.untilSettled.splice(0).forEach((resolve) => resolve());
  }

  /** Calls back when the window of the post that began this is over; never, once the outcome is there. */
  whenWindowIsOver(callback: () => void): void {
    if (this.over) callback();
    else this.untilOver.push(callback);
  }

  /** The process is to end: the window is over, and the message is stored without waiting for the turn before. */
  cutShort(): void {
    this.isCutShort = true;
    this.untilCut.splice(0).forEach((resolve) => resolve());
    this.endWindow();
  }

  /** To be called once the window of the post that began this is over. */
  endWindow(): void {
    this.over = true;
    this.untilOver.splice(0).forEach((callback) => callback());
  }
}
