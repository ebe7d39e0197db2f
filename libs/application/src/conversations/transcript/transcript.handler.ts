import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@ports/event-store.port';
import type { Page } from '../../paging/page.js';
import { PagedLists } from '../../paging/paged-list.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { GetTranscript, type MessageView } from '../conversation.commands.js';
import { loadConversation } from '../conversation.handlers.js';
import { TRANSCRIPT, transcriptOf } from './transcript.js';

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
    const source = transcriptOf(this.store, await this.store.identity(), conversationId, role);
    const { items, ...rest } = await this.lists.page({ ...source, walkedBy: projectId }, page);
    return { ...rest, items: items.map(({ item }) => item) };
  }
}
