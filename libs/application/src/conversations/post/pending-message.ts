import type { PostedMessage } from '../conversation.commands.js';

/** A message between its arrival and its reply. It outlives the request that brought it. */
export class PendingMessage {
  /** The message is stored, or refused. */
  readonly settled: Promise<void>;
  /** The process ends before the message had its turn. */
  readonly aborted: Promise<void>;
  /** The window of the request that brought it is over. */
  readonly windowOver: Promise<void>;
  readonly outcome: Promise<PostedMessage>;
  isAborted = false;
  private boundTo: string | null = null;
  private markSettled!: () => void;
  private markAborted!: () => void;
  private markWindowOver!: () => void;
  private resolveOutcome!: (outcome: Promise<PostedMessage>) => void;

  constructor(
    readonly messageId: string,
    /** Epoch milliseconds. */
    readonly windowEndsAt: number,
  ) {
    this.settled = new Promise((resolve) => (this.markSettled = resolve));
    this.aborted = new Promise((resolve) => (this.markAborted = resolve));
    this.windowOver = new Promise((resolve) => (this.markWindowOver = resolve));
    this.outcome = new Promise((resolve) => (this.resolveOutcome = resolve));
    this.outcome.then(this.markSettled, this.markSettled);
  }

  /** Null until its conversation is known. */
  get conversationId(): string | null {
    return this.boundTo;
  }

  bindTo(conversationId: string): void {
    this.boundTo = conversationId;
  }

  /** The message is in its conversation's stream. */
  stored(): void {
    this.markSettled();
  }

  /** The message's outcome is that of this work. */
  follow(work: Promise<PostedMessage>): void {
    this.resolveOutcome(work);
  }

  endWindow(): void {
    this.markWindowOver();
  }

  /** The process is to end: the message is stored without waiting for the turn before it, and its request is answered now. */
  abort(): void {
    this.isAborted = true;
    this.markAborted();
    this.endWindow();
  }
}
