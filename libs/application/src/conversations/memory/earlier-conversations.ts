import { Injectable } from '@nestjs/common';
import { asOf, type Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { beginning } from '@domain/kernel/code-points';
import type { EarlierConversation } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { MEMORY_BOUNDS } from '@ports/memory-bounds';
import { ReadModels } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { conversationStream } from '../state/conversation-stream.js';
import { lastLines } from '../state/conversation-stream.js';
import { conversationsProjection } from '../state/conversations.projection.js';
import { MEMORY_CATCHES_UP_WITHIN_MS } from './remembered-appointments.js';

/** Ids from the list, content from the streams. */
@Injectable()
export class EarlierConversations {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async earlierConversationsOf(projectId: string, customerId: string, besides: string): Promise<readonly EarlierConversation[]> {
    const filter = [[{ field: 'customerId', op: 'eq', value: customerId } as const]];
    const query = { projectId, filter, order: 'desc', limit: MEMORY_BOUNDS.conversations + 1 } as const;
    await this.fresh.caughtUp(conversationsProjection, MEMORY_CATCHES_UP_WITHIN_MS);
    const rows = await this.readModels.page(conversationsProjection.schema.name, query);
    const ids = rows.map(({ id }) => id).filter((id) => id !== besides);
    return Promise.all(ids.slice(0, MEMORY_BOUNDS.conversations).map((id) => this.remembered(id)));
  }

  private async remembered(conversationId: string): Promise<EarlierConversation> {
    const { state } = await this.streams.load(conversationStream(conversationId), conversationDecider);
    const conversation = asOf(state, this.clock.now(), this.settings.conversationIdleMs);
    const lines = await lastLines(this.streams, this.store, conversationId, MEMORY_BOUNDS.messages);
    return {
      startedAt: conversation.createdAt,
      endReason: howItEnded(conversation),
      lines: lines.map((line) => ({ ...line, content: beginning(line.content, MEMORY_BOUNDS.messageCodePoints) })),
    };
  }
}

function howItEnded({ status, endReason }: Conversation): string {
  return status === 'ended' ? (endReason ?? 'explicit') : status;
}
