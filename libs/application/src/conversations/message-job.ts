import type { Clock } from '@ports/clock.port';
import type { SentMessage } from './conversation.commands.js';

/** One message on its way to its reply. It goes on when the client's window is over. */
export class MessageJob {
  /** Known once the thread is resolved. */
  conversationId: string | null = null;
  readonly outcome: Promise<SentMessage>;
  /** Resolves when the window of the post that began this is over. */
  readonly windowOver: Promise<void>;

  constructor(
    clock: Clock,
    readonly messageId: string,
    readonly windowEndsAt: number,
    work: (job: MessageJob) => Promise<SentMessage>,
  ) {
    let cancel = () => {};
    this.windowOver = new Promise((resolve) => (cancel = clock.at(windowEndsAt, resolve)));
    this.outcome = work(this).finally(cancel);
    // Whoever waited may be gone by the time it fails; the outcome itself still rejects for those who ask.
    this.outcome.catch(() => {});
  }
}
