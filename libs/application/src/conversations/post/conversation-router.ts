import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { KeyedQueue, type Ticket } from '@kit/keyed-queue';
import type { SendMessage } from '../conversation.commands.js';
import { ConversationLines } from './conversation-queue.js';
import type { MessageJob } from './pending-message.js';
import { MessagePost } from './message-writer.js';
import { Threads, type ConversationCreation } from '../threads.js';
import { idFor } from '../../request-context.js';

/** Where a message goes. Whoever enters has to leave. */
export interface Place {
  readonly conversationId: string;
  /** What the conversation becomes if it is not opened yet; null for one that is there. */
  readonly creation: ConversationCreation | null;
  readonly ticket: Ticket;
}

/** Finds the conversation a message is for, and its place in line there. */
@Injectable()
export class MessagePlaces {
  private readonly resolving = new KeyedQueue();

  constructor(
    private readonly threads: Threads,
    private readonly lines: ConversationLines,
    private readonly messages: MessagePost,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Gets in line, in the order in which posts to a thread arrived. Rejects with `resource_missing`. */
  async enter(command: SendMessage, job: MessageJob): Promise<Place> {
    const known = this.known(command);
    if (known !== null) return this.placeIn(known);
    const { context, target } = command;
    const { projectId } = context;
    if (target.kind === 'conversation') {
      await this.messages.refuseForeign(projectId, target.conversationId);
      return this.placeIn(target.conversationId);
    }
    const { externalId, customer, metadata } = target;
    return this.resolving.run(threadOf(projectId, externalId), async () => {
      const candidate = idFor(this.ids, context, 'conversation', `conversation for ${job.conversationId ?? 'the thread'}`);
      const made = { conversationId: candidate, projectId, externalId, customer, metadata, at: this.clock.now() };
      const { conversationId, creation } = await this.threads.resolve(made, externalId, `${context.commandId}:${candidate}`);
      return { conversationId, creation, ticket: this.lines.enter(conversationId) };
    });
  }

  /** From now on the others in line wait for the reply to this message. */
  awaitReply({ conversationId, ticket }: Place): void {
    this.lines.awaitsReply(conversationId, ticket);
  }

  /** The conversations an earlier execution may have posted into. Rejects with `resource_missing`. */
  async possibleBefore({ context, target }: SendMessage): Promise<readonly string[]> {
    const { projectId, startedAt } = context;
    if (target.kind === 'thread') return this.threads.holdersSince(projectId, target.externalId, startedAt);
    await this.messages.refuseForeign(projectId, target.conversationId);
    return [target.conversationId];
  }

  private placeIn(conversationId: string): Place {
    return { conversationId, creation: null, ticket: this.lines.enter(conversationId) };
  }

  private known({ context: { projectId }, target }: SendMessage): string | null {
    if (target.kind === 'conversation')
      return this.messages.knows(projectId, target.conversationId) ? target.conversationId : null;
    if (this.resolving.has(threadOf(projectId, target.externalId))) return null;
    return this.threads.known(projectId, target.externalId);
  }
}

function threadOf(projectId: string, externalId: string): string {
  return `${projectId}\n${externalId}`;
}
