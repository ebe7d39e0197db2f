import { Injectable } from '@nestjs/common';
import { KeyedQueue } from '@kit/keyed-queue';
import type { ConversationCreation } from '../threads.js';

/** A message's slot in the queue of its conversation. The holder must call `leave`. */
export interface QueueSlot {
  readonly conversationId: string;
  /** What the conversation becomes if it is not opened yet; null for one that exists. */
  readonly creation: ConversationCreation | null;
  /** Resolves when everybody ahead has left. */
  readonly turn: Promise<void>;
  /** The message is stored and waits for its reply: from now on `release` ends the slot too. */
  awaitReply(): void;
  /** Lets the next message have its turn; a second call does nothing. */
  leave(): void;
}

/** The messages of each conversation that reach this process: one turn at a time, in order of arrival. */
@Injectable()
export class ConversationQueue {
  private readonly queue = new KeyedQueue();
  private readonly awaitingReply = new Map<string, QueueSlot>();

  enter(conversationId: string, creation: ConversationCreation | null = null): QueueSlot {
    const { turn, leave } = this.queue.enter(conversationId);
    const slot: QueueSlot = {
      conversationId,
      creation,
      turn,
      awaitReply: () => void this.awaitingReply.set(conversationId, slot),
      leave: () => {
        if (this.awaitingReply.get(conversationId) === slot) this.awaitingReply.delete(conversationId);
        leave();
      },
    };
    return slot;
  }

  /** The conversation has ended: nobody behind waits for a reply any longer. */
  release(conversationId: string): void {
    this.awaitingReply.get(conversationId)?.leave();
  }
}
