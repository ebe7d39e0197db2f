import { Injectable } from '@nestjs/common';
import { PendingCalls } from '@kit/pending-calls';
import { KeyedQueue, type Ticket } from '@kit/keyed-queue';

/** The posts in line for each conversation, in order of arrival, as far as they reach this process. */
@Injectable()
export class ConversationLines {
  private readonly queue = new KeyedQueue();
  private readonly awaiting = new PendingCalls<string, Ticket>();

  enter(conversationId: string): Ticket {
    const place = this.queue.enter(conversationId);
    const ticket: Ticket = {
      turn: place.turn,
      leave: () => {
        if (this.awaiting.get(conversationId) === ticket) this.awaiting.delete(conversationId);
        place.leave();
      },
    };
    return ticket;
  }

  /** The one whose message is stored, and who keeps the others waiting for its reply. */
  awaitsReply(conversationId: string, ticket: Ticket): void {
    this.awaiting.set(conversationId, ticket);
  }

  /** Lets the next in line go on: in a conversation that has ended no reply is worth waiting for. */
  release(conversationId: string): void {
    this.awaiting.get(conversationId)?.leave();
  }
}
