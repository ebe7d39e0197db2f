import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError, type ErrorCode } from '@domain/kernel/domain-error';
import { PendingCalls } from '@kit/pending-calls';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '../../runtime/shutdown.js';
import type { PostedMessage } from '../conversation.commands.js';
import { PendingMessage } from './pending-message.js';

const RETRY_AFTER_SECONDS = 2;
const REMEMBERED_REFUSALS = 1_000;
/** A retry may fare better after these; any other refusal is about the message itself. */
const FAILURES: readonly ErrorCode[] = ['agent_unavailable', 'internal_error', 'service_unavailable', 'reply_timeout'];

/** The messages that wait for their replies in this process. Requests wait for as long as their windows are. */
@Injectable()
export class PendingReplies {
  private readonly messages = new PendingCalls<string, PendingMessage>();
  /** Refusals that came when the request had been told of a timeout: its retry is told, though nothing was stored. */
  private readonly lateRefusals = new LRUCache<string, DomainError>({ max: REMEMBERED_REFUSALS });

  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {
    shutdown.onLastCall(() => this.messages.values().forEach((message) => message.abort()));
  }

  /** Resolves when every message that was taken is stored, or refused. */
  async settled(): Promise<void> {
    await Promise.all(this.messages.values().map(({ settled }) => settled));
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
