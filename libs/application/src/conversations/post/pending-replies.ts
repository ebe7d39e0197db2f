import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Conversation } from '@domain/conversation/conversation';
import { DomainError, type ErrorCode } from '@domain/kernel/domain-error';
import { inTime } from '@kit/time';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '../../runtime/shutdown.js';
import type { PostedMessage } from '../conversation.commands.js';
import type { MessageView } from '../state/message-view.js';

const RETRY_AFTER_SECONDS = 2;
const REMEMBERED_REFUSALS = 1_000;
/** A retry may succeed after these; any other refusal is about the message itself. */
const FAILURES: readonly ErrorCode[] = ['agent_unavailable', 'internal_error', 'service_unavailable', 'reply_timeout'];

/** What is known of a message once it is stored. */
export interface AcceptedMessage {
  readonly message: MessageView;
  readonly conversation: Conversation;
  readonly isQueued: boolean;
  readonly isNew: boolean;
}

/** A message from its arrival to its reply. It outlives its request. */
export class PendingMessage {
  readonly settled: Promise<void>;
  /** The process shut down before the message's turn. */
  readonly aborted: Promise<void>;
  /** Somebody wants the message acknowledged before its turn: then it is stored as queued. */
  readonly impatient: Promise<void>;
  readonly windowOver: Promise<void>;
  readonly outcome: Promise<PostedMessage>;
  isAborted = false;
  isImpatient = false;
  /** Null until the message is stored. */
  accepted: AcceptedMessage | null = null;
  private boundTo: string | null = null;
  private markSettled!: () => void;
  private markAborted!: () => void;
  private markImpatient!: () => void;
  private markWindowOver!: () => void;
  private resolveOutcome!: (outcome: Promise<PostedMessage>) => void;

  constructor(
    readonly messageId: string,
    readonly windowEndsAt: number,
  ) {
    this.settled = new Promise((resolve) => (this.markSettled = resolve));
    this.aborted = new Promise((resolve) => (this.markAborted = resolve));
    this.impatient = new Promise((resolve) => (this.markImpatient = resolve));
    this.windowOver = new Promise((resolve) => (this.markWindowOver = resolve));
    this.outcome = new Promise((resolve) => (this.resolveOutcome = resolve));
    this.outcome.then(this.markSettled, this.markSettled);
  }

  get conversationId(): string | null {
    return this.boundTo;
  }

  bindTo(conversationId: string): void {
    this.boundTo = conversationId;
  }

  stored(accepted: AcceptedMessage): void {
    this.accepted = accepted;
    this.markSettled();
  }

  follow(work: Promise<PostedMessage>): void {
    this.resolveOutcome(work);
  }

  endWindow(): void {
    this.markWindowOver();
  }

  stopWaiting(): void {
    this.isImpatient = true;
    this.markImpatient();
  }

  /** At shutdown: stores the message without waiting for the turn ahead, and answers its request now. */
  abort(): void {
    this.isAborted = true;
    this.markAborted();
    this.endWindow();
  }
}

@Injectable()
export class PendingReplies {
  private readonly messages = new Map<string, PendingMessage>();
  /** Refusals after the request had timed out: the retry gets them, though nothing was stored. */
  private readonly lateRefusals = new LRUCache<string, DomainError>({ max: REMEMBERED_REFUSALS });

  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {
    shutdown.onLastCall(() => this.messages.forEach((message) => message.abort()));
  }

  /** Resolves when every accepted message is stored or refused. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.messages.values(), ({ settled }) => settled));
  }

  /** For a retry: the message in progress. Throws a refusal that came after its window. */
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

  /** Rejects with `reply_timeout` when the window or the process ends first; the message is answered either way. */
  replyTo(message: PendingMessage, windowMs: number): Promise<PostedMessage> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(replyTimeout(message));
      const cancel = this.clock.after(windowMs, giveUp);
      void message.aborted.then(giveUp);
      void message.outcome.then(resolve, reject).finally(cancel);
    });
  }

  /** The reply if it comes within `waitMs`, else the message once it is stored. Rejects as the message is refused. */
  async replyWithin(message: PendingMessage, waitMs: number): Promise<PostedMessage> {
    if (waitMs > 0)
      await inTime(
        this.clock,
        waitMs,
        Promise.race([message.outcome, message.aborted]).catch(() => undefined),
      );
    message.stopWaiting();
    return this.onceStored(message);
  }

  /** The message once it is stored, with its reply if there is one already. Rejects as the message is refused. */
  async onceStored(message: PendingMessage): Promise<PostedMessage> {
    await message.settled;
    return Promise.race([message.outcome, acknowledged(message)]);
  }

  private rememberRefusal(messageId: string, error: unknown): void {
    if (error instanceof DomainError && !FAILURES.includes(error.code)) this.lateRefusals.set(messageId, error);
  }
}

/** What is known of the message without its reply. Never resolves for one that was refused. */
async function acknowledged({ accepted }: PendingMessage): Promise<PostedMessage> {
  if (!accepted) return new Promise<never>(() => undefined);
  const { message, conversation, isQueued, isNew } = accepted;
  const replyStatus = isQueued ? 'queued' : 'pending';
  return { message, reply: null, replyStatus, conversation, answeredBefore: false, isNew };
}

export function replyTimeout({ conversationId, messageId }: PendingMessage): DomainError {
  return new DomainError('reply_timeout', 'The agent did not reply in time. The reply will be in the transcript.', {
    extras: { message_id: messageId, ...(conversationId === null ? {} : { conversation_id: conversationId }) },
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
