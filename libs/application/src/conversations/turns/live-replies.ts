import { Injectable } from '@nestjs/common';
import { LiveReply } from './live-reply.js';

/** The replies that agents of this process are writing, by the message that they answer. */
@Injectable()
export class LiveReplies {
  private readonly replies = new Map<string, LiveReply>();
  private readonly listeners = new Map<string, Set<() => void>>();

  /** The owner must call `close` once the reply is stored or given up. */
  open(messageId: string, turn: string, isChangedAtEnd: boolean): LiveReply {
    const reply = new LiveReply(turn, isChangedAtEnd, () => this.tell(messageId));
    this.replies.set(messageId, reply);
    this.tell(messageId);
    return reply;
  }

  close(messageId: string, reply: LiveReply): void {
    if (this.replies.get(messageId) === reply) this.replies.delete(messageId);
  }

  find(messageId: string): LiveReply | undefined {
    return this.replies.get(messageId);
  }

  /** Calls back when the reply begins or changes. Returns how to stop, which must be called once. */
  listen(messageId: string, listener: () => void): () => void {
    const own = this.listeners.get(messageId) ?? new Set();
    this.listeners.set(messageId, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0) this.listeners.delete(messageId);
    };
  }

  private tell(messageId: string): void {
    this.listeners.get(messageId)?.forEach((listener) => listener());
  }
}
