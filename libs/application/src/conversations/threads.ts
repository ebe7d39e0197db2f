import { Injectable } from '@nestjs/common';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { isIdle, type Conversation } from '@domain/conversation/conversation';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { Settings } from '@ports/settings.port';
import { Claims } from '../claims/claims.js';
import { CustomerDirectory } from '../customers/customer-directory.js';
import { Ids } from '@ports/ids.port';
import { partOf, type CommandOrigin } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import type { ConversationInput } from './conversation.commands.js';
import { conversationStream } from './state/conversation-stream.js';

/** Stored in the thread's claim, so that any process can finish the creation. */
export interface ConversationCreation extends ConversationInput {
  readonly conversationId: string;
  readonly projectId: string;
  readonly at: number;
}

export interface LiveThread {
  readonly conversationId: string;
  readonly creation: ConversationCreation;
  readonly won: boolean;
}

/** A thread has at most one live conversation. */
@Injectable()
export class Threads {
  constructor(
    private readonly streams: StreamRunner,
    private readonly claims: Claims,
    private readonly customers: CustomerDirectory,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  /** The thread's live conversation; `creation` becomes it when there is none. Stores the claim only. */
  async resolve(creation: ConversationCreation, externalId: string, origin: CommandOrigin): Promise<LiveThread> {
    const {
      holder,
      creation: made,
      won,
    } = await this.claims.acquire<ConversationCreation>({
      kind: 'thread',
      projectId: creation.projectId,
      value: externalId,
      holder: creation.conversationId,
      creation,
      origin: partOf(origin, 'thread'),
      hasLeft: (present) => this.hasEnded(present, origin.envelope),
    });
    return { conversationId: holder, creation: made, won };
  }

  /** From the cache; null where it must be looked up. */
  known(projectId: string, externalId: string): string | null {
    const holder = this.claims.knownHolder('thread', projectId, externalId);
    const conversation = holder === null ? undefined : this.streams.cache.get<Conversation>(conversationStream(holder))?.state;
    const isLive = conversation && (conversation.status === 'active' || conversation.status === 'handed_off');
    return isLive && !isIdle(conversation, this.clock.now(), this.settings.conversationIdleMs) ? holder : null;
  }

  holdersSince(projectId: string, externalId: string, since: number): Promise<readonly string[]> {
    return this.claims.holdersSince('thread', projectId, externalId, since);
  }

  /** The command that opens the conversation; links or creates its customer first. */
  async opening(creation: ConversationCreation, envelope: Envelope) {
    const { conversationId, projectId, externalId, customer, metadata, timeZone, at } = creation;
    const candidate = this.ids.derived('customer', at, projectId, conversationId);
    const origin = { commandId: `${conversationId}:opening`, envelope };
    const linked = customer && (await this.customers.link(projectId, customer, candidate, origin));
    const customerId = linked?.customer.id ?? null;
    return {
      type: 'OpenConversation',
      at: this.clock.now(),
      conversationId,
      projectId,
      externalId,
      customerId,
      metadata,
      // Absent in claims of earlier versions.
      timeZone: timeZone ?? null,
    } as const;
  }

  /** Stores a due idle end, so that the thread can be claimed again. */
  async endIdle(conversationId: string, envelope: Envelope): Promise<Conversation> {
    const command = { type: 'EndIdleConversation', at: this.clock.now(), idleMs: this.settings.conversationIdleMs } as const;
    return (await this.streams.run(conversationStream(conversationId), conversationDecider, command, envelope)).state;
  }

  /** A holder that is not opened yet counts as live: the next post to the thread opens it. */
  private async hasEnded(conversationId: string, envelope: Envelope): Promise<boolean> {
    const { state } = await this.streams.cache.loadCached(conversationStream(conversationId), conversationDecider);
    if (!isIdle(state, this.clock.now(), this.settings.conversationIdleMs)) return state.status === 'ended';
    return (await this.endIdle(conversationId, envelope)).status === 'ended';
  }
}
