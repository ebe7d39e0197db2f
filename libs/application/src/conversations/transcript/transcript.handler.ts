import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { EventStore } from '@ports/event-store.port';
import type { ListKind } from '../../paging/cursor.js';
import type { Page } from '../../paging/page.js';
import { PagedLists, type PagedSource } from '../../paging/paged-list.js';
import { streamList, type Placed } from '../../streams/stream-list.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { GetTranscript } from '../conversation.commands.js';
import { conversationStream, loadConversation, messageOf } from '../state/conversation-stream.js';
import type { MessageView } from '../state/message-view.js';

const TRANSCRIPT: ListKind = { list: 'messages', idKind: 'message' };

@QueryHandler(GetTranscript)
export class GetTranscriptHandler implements IQueryHandler<GetTranscript> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly lists: PagedLists,
  ) {}

  async execute({ projectId, conversationId, page, role }: GetTranscript): Promise<Page<MessageView>> {
    this.lists.judge(TRANSCRIPT, page);
    await loadConversation(this.streams, projectId, conversationId);
    const source = await this.transcriptOf(conversationId, role);
    const { items, ...rest } = await this.lists.page({ ...source, walkedBy: projectId }, page);
    return { ...rest, items: items.map(({ item }) => item) };
  }

  /** Null for both roles. */
  private async transcriptOf(
    conversationId: string,
    role: MessageView['role'] | null,
  ): Promise<PagedSource<Placed<MessageView>>> {
    const name = { ...TRANSCRIPT, log: `${await this.store.identity()}/${conversationId}` };
    const toMessage = (event: ConversationEvent) => messageOf(conversationId, event);
    const isWanted = (message: MessageView) => role === null || message.role === role;
    return streamList(name, this.store, conversationStream(conversationId), toMessage, isWanted);
  }
}
