import { Injectable } from '@nestjs/common';
import type { ConversationCard } from '@domain/conversation/conversation';
import { customerDecider } from '@domain/customer/customer.decider';
import { Budget, type BudgetSlot } from '@kit/budget';
import { AgentFailed, type AgentTurn, type CustomerCard, type ReplyDraft, type TranscriptLine } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { customerStream } from '../../customers/customer-addresses.js';
import { ProjectDirectory } from '../../projects/project-directory.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { CustomerMemories } from '../memory/customer-memory.js';
import { lastLines } from '../state/conversation-stream.js';
import type { TurnToolbox } from '../tools/toolboxes.js';
import { zoneInMetadata } from './zone-in-metadata.js';

const TRANSCRIPT_MESSAGES = 100;
const MEBI = 1024 * 1024;
/** In characters. A project below `least` is admitted however much the others hold. */
const TRANSCRIPT_BOUNDS = { total: 48 * MEBI, perOwner: 16 * MEBI, least: MEBI };
/** In characters: about what a turn holds in addition to its transcript. */
const BESIDE_TRANSCRIPT = 16 * 1024;

type Lines = readonly TranscriptLine[];

interface TurnMessage {
  readonly agent: string;
  readonly messageId: string;
  readonly content: string;
  readonly windowEndsAt: number;
  readonly timeZone: string;
  readonly draft: ReplyDraft;
}

/** Bounds the transcripts in memory, per project and in all: a hanging model keeps several copies of one for five minutes. */
@Injectable()
export class TranscriptBudget {
  private readonly budget = new Budget(TRANSCRIPT_BOUNDS);

  /** True if there is room now, else a promise of it, which rejects with `AgentFailed` on abort. Held until the abort. */
  enter(projectId: string, weight: number, over: AbortSignal): true | Promise<void> {
    if (over.aborted) return true;
    const slot = this.budget.tryEnter(projectId, weight);
    if (!slot) return this.wait(projectId, weight, over);
    leaveOnceOver(slot, over);
    return true;
  }

  private async wait(projectId: string, weight: number, over: AbortSignal): Promise<void> {
    const slot = await this.budget.enter(projectId, weight, over).catch(() => {
      throw new AgentFailed('timeout', 'The turn was given up before there was room for its transcript.');
    });
    leaveOnceOver(slot, over);
  }
}

function leaveOnceOver(slot: BudgetSlot, over: AbortSignal): void {
  // The signal may have aborted between the grant of the slot and here.
  if (over.aborted) slot.leave();
  else over.addEventListener('abort', slot.leave, { once: true });
}

/** What the agent is given, from the conversation's own project and customer alone. */
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
   * Later messages, and other agents' notes, are left out. The transcript takes its budget when the agent asks for it, and
   * returns it at the end of the turn.
   */
  async build(
    conversation: ConversationCard,
    { agent, messageId, content, windowEndsAt, timeZone, draft }: TurnMessage,
    customer: CustomerCard | null,
    toolbox: TurnToolbox,
    over: AbortSignal,
  ): Promise<AgentTurn> {
    const { projectId, id } = conversation;
    const { instructions } = await this.settingsOf(projectId);
    const load = () => lastLines(this.streams, this.store, id, TRANSCRIPT_MESSAGES, { upTo: messageId, notesOf: agent });
    let lines: Promise<Lines> | undefined;
    return {
      content,
      instructions: instructions ?? '',
      metadata: conversation.metadata,
      now: this.clock.now(),
      windowEndsAt,
      timeZone,
      customer,
      handedBack: conversation.handback,
      transcript: () => (lines ??= this.whenThereIsRoom(projectId, load, over)),
      memory: () => this.memories.inTime(conversation, customer?.id ?? null, messageId),
      toolbox,
      draft,
    };
  }

  /** The conversation's own zone, else that in its metadata, else its project's. */
  async zoneOf({ projectId, timeZone, metadata }: ConversationCard): Promise<string> {
    return timeZone ?? zoneInMetadata(metadata) ?? (await this.settingsOf(projectId)).timeZone;
  }

  /** What a reply that hands over ends with; null for nothing. */
  async handoffReplyOf({ projectId }: ConversationCard): Promise<string | null> {
    return (await this.settingsOf(projectId)).handoffReply;
  }

  private async settingsOf(projectId: string) {
    return this.projects.known(projectId) ?? this.projects.settings(projectId);
  }

  private async whenThereIsRoom(projectId: string, load: () => Promise<Lines>, over: AbortSignal): Promise<Lines> {
    const loaded = await this.loadedOrWaiting(projectId, load, over);
    if ('lines' in loaded) return loaded.lines;
    await loaded.room;
    return load();
  }

  /** A separate function: the frame that waits for the budget would keep the lines in memory. */
  private async loadedOrWaiting(projectId: string, load: () => Promise<Lines>, over: AbortSignal) {
    const lines = await load();
    const room = this.budget.enter(projectId, weightOf(lines), over);
    return room === true ? { lines } : { room };
  }

  /** Null where there is none, or it was deleted. */
  async customerOf({ customerId }: ConversationCard): Promise<CustomerCard | null> {
    if (customerId === null) return null;
    const { state } = await this.streams.load(customerStream(customerId), customerDecider);
    if (!state.exists || state.deletedAt !== null) return null;
    const { id, name, phone, email, externalId, metadata } = state;
    return { id, name, phone, email, externalId, metadata };
  }
}

function weightOf(lines: Lines): number {
  return lines.reduce((weight, { content, note = '' }) => weight + content.length + note.length, BESIDE_TRANSCRIPT);
}
