import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError, type ErrorCode } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '../../runtime/shutdown.js';
import type { PostedMessage } from '../conversation.commands.js';

const RETRY_AFTER_SECONDS = 2;
const REMEMBERED_REFUSALS = 1_000;
/** A retry may fare better after these; any other refusal is about the message itself. */
const FAILURES: readonly ErrorCode[] = ['agent_unavailable', 'internal_error', 'service_unavailable', 'reply_timeout'];

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

/** The messages that wait for their replies in this process. Requests wait for as long as their windows are. */
@Injectable()
export class PendingReplies {
  private readonly messages = new Map<string, PendingMessage>();
  /** Refusals that came when the request had been told of a timeout: its retry is told, though nothing was stored. */
  private readonly lateRefusals = new LRUCache<string, DomainError>({ max: REMEMBERED_REFUSALS });

  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {
    shutdown.onLastCall(() => this.messages.forEach((message) => message.abort()));
  }

  /** Resolves when every message that was taken is stored, or refused. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.messages.values(), ({ settled }) => settled));
  }

  /** The message as it is under way here, for the retry of its request. Throws what it was refused with after its window. */
  find(messageId: string): PendingMessage | undefined {
    const refused = this.lateRefusals.get(messageId);
    if (refused) throw refused;
    return this.messages.get(messageId);
  }

  open(messageId: string, windowMs: number): PendingMessage {
    const message = new PendingMessage(messageId, this.clock.now() + windowMs);
    this.messages.set(messageId, message);
    const cancel = this.clock.after(windowMs, () => message.endWindow());
    if (this.shutdown.isOverdue) message.abort();
    const close = () => {
      cancel();
      this.messages.delete(messageId);
    };
    message.outcome.then(close, (error: unknown) => {
      close();
      if (this.clock.now() >= message.windowEndsAt) this.rememberRefusal(messageId, error);
    });
    return message;
  }

  /** Rejects with `reply_timeout` when the window or the process ends before the reply; the message goes on either way. */
  replyTo(message: PendingMessage, windowMs: number): Promise<PostedMessage> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(replyTimeout(message));
      const cancel = this.clock.after(windowMs, giveUp);
      void message.aborted.then(giveUp);
      void message.outcome.then(resolve, reject).finally(cancel);
    });
  }

  private rememberRefusal(messageId: string, error: unknown): void {
    if (error instanceof DomainError && !FAILURES.includes(error.code)) this.lateRefusals.set(messageId, error);
  }
}

/** What a request is told that has no reply in its window. */
export function replyTimeout({ conversationId, messageId }: PendingMessage): DomainError {
  return new DomainError('reply_timeout', 'The agent did not reply in time. The reply will be in the transcript.', {
    extras: { message_id: messageId, ...(conversationId === null ? {} : { conversation_id: conversationId }) },
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
