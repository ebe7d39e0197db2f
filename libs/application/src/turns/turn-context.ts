import { Injectable } from '@nestjs/common';
import type { Conversation } from '@domain/conversation/conversation';
import { customerDecider } from '@domain/customer/customer.decider';
import type { AgentTurn, CustomerCard } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { customerStream } from '../customers/customer-addresses.js';
import { ProjectDirectory } from '../projects/project-directory.js';
import { StreamRunner } from '../stream-runner.js';
import { timeZoneOf } from '../time-zones.js';
import { CustomerMemories } from './customer-memory.js';
import type { TurnToolbox } from './toolboxes.js';
import { lastLines } from './transcript-lines.js';

const TRANSCRIPT_MESSAGES = 100;

/** Builds what the agent is given (api-contract §16) from the conversation's own project and customer alone. */
@Injectable()
export class TurnContext {
  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly projects: ProjectDirectory,
    private readonly memories: CustomerMemories,
    private readonly clock: Clock,
  ) {}

  /** What is said after the message to answer is no part of its turn: the message comes last. */
  async build(
    conversation: Conversation,
    { messageId, content }: { readonly messageId: string; readonly content: string },
    customer: CustomerCard | null,
    toolbox: TurnToolbox,
  ): Promise<AgentTurn> {
    const { projectId } = conversation;
    const { instructions } = this.projects.known(projectId) ?? (await this.projects.settings(projectId));
    return {
      content,
      instructions: instructions ?? '',
      metadata: conversation.metadata,
      now: this.clock.now(),
      timeZone: timeZoneOf(conversation.metadata),
      customer,
      transcript: () => lastLines(this.store, conversation.id, TRANSCRIPT_MESSAGES, messageId),
      memory: () => this.memories.inTime(conversation, customer?.id ?? null, messageId),
      toolbox,
    };
  }

  /** Whom the agent talks to. A deleted customer is nobody. */
  async customerOf({ customerId }: Conversation): Promise<CustomerCard | null> {
    if (customerId === null) return null;
    const { state } = await this.streams.load(customerStream(customerId), customerDecider);
    if (!state.exists || state.deletedAt !== null) return null;
    const { id, name, phone, email, externalId, metadata } = state;
    return { id, name, phone, email, externalId, metadata };
  }
}
