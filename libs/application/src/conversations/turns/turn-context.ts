import { Injectable } from '@nestjs/common';
import type { ConversationCard } from '@domain/conversation/conversation';
import { customerDecider } from '@domain/customer/customer.decider';
import type { AgentTurn, CustomerCard, TranscriptLine } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { timeZoneOf } from '../../appointments/time-zones.js';
import { customerStream } from '../../customers/customer-addresses.js';
import { ProjectDirectory } from '../../projects/project-directory.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { CustomerMemories } from '../memory/customer-memory.js';
import { lastLines } from '../state/conversation-stream.js';
import type { TurnToolbox } from '../tools/toolboxes.js';
import { TranscriptBudget } from './transcript-budget.js';

const TRANSCRIPT_MESSAGES = 100;

type Lines = readonly TranscriptLine[];

/** In characters: about what a turn holds besides its transcript. */
const BESIDE_TRANSCRIPT = 16 * 1024;

function weightOf(lines: Lines): number {
  return lines.reduce((weight, { content }) => weight + content.length, BESIDE_TRANSCRIPT);
}

/** Builds what the agent is given (api-contract §16) from the conversation's own project and customer alone. */
@Injectable()
export class TurnContext {
  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly projects: ProjectDirectory,
    private readonly memories: CustomerMemories,
    private readonly budget: TranscriptBudget,
    private readonly clock: Clock,
  ) {}

  /**
   * The message to answer comes last in the transcript: later messages are not part of its turn. The transcript takes its
   * budget when the agent asks for it, and returns it when the turn is over.
   */
  async build(
    conversation: ConversationCard,
    { messageId, content }: { readonly messageId: string; readonly content: string },
    customer: CustomerCard | null,
    toolbox: TurnToolbox,
    over: AbortSignal,
  ): Promise<AgentTurn> {
    const { projectId, id } = conversation;
    const { instructions } = this.projects.known(projectId) ?? (await this.projects.settings(projectId));
    const load = () => lastLines(this.store, id, TRANSCRIPT_MESSAGES, messageId);
    let lines: Promise<Lines> | undefined;
    return {
      content,
      instructions: instructions ?? '',
      metadata: conversation.metadata,
      now: this.clock.now(),
      timeZone: timeZoneOf(conversation.metadata),
      customer,
      transcript: () => (lines ??= this.whenThereIsRoom(projectId, load, over)),
      memory: () => this.memories.inTime(conversation, customer?.id ?? null, messageId),
      toolbox,
    };
  }

  private async whenThereIsRoom(projectId: string, load: () => Promise<Lines>, over: AbortSignal): Promise<Lines> {
    const loaded = await this.loadedOrWaiting(projectId, load, over);
    if ('lines' in loaded) return loaded.lines;
    await loaded.room;
    return load();
  }

  /** A function of its own: the frame that waits for the budget would keep the lines in memory. */
  private async loadedOrWaiting(projectId: string, load: () => Promise<Lines>, over: AbortSignal) {
    const lines = await load();
    const room = this.budget.enter(projectId, weightOf(lines), over);
    return room === true ? { lines } : { room };
  }

  /** The conversation's customer; null where there is none, or it was deleted. */
  async customerOf({ customerId }: ConversationCard): Promise<CustomerCard | null> {
    if (customerId === null) return null;
    const { state } = await this.streams.load(customerStream(customerId), customerDecider);
    if (!state.exists || state.deletedAt !== null) return null;
    const { id, name, phone, email, externalId, metadata } = state;
    return { id, name, phone, email, externalId, metadata };
  }
}
