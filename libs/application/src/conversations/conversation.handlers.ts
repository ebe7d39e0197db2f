import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { asOf, type Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { Clock } from '@ports/clock.port';
import { Settings } from '@ports/settings.port';
import { StreamRunner } from '../streams/stream-runner.js';
import { EndConversation, GetConversation } from './conversation.commands.js';
import { ConversationQueue } from './post/conversation-router.js';
import { conversationStream, loadConversation } from './state/conversation-stream.js';

@CommandHandler(EndConversation)
export class EndConversationHandler implements ICommandHandler<EndConversation> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly queue: ConversationQueue,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Stores a due idle end first: a conversation that idled out is not ended explicitly. */
  async execute({ context, conversationId, note }: EndConversation): Promise<Conversation> {
    await loadConversation(this.streams, context.projectId, conversationId);
    const at = this.clock.now();
    const idle = { type: 'EndIdleConversation', at, idleMs: this.settings.conversationIdleMs } as const;
    const end = { type: 'EndConversation', at, note } as const;
    const stream = conversationStream(conversationId);
    const { commandId, envelope } = context;
    const { state } = await this.streams.run(stream, conversationDecider, [idle, end], envelope, { commandId });
    this.queue.release(conversationId);
    return state;
  }
}

@QueryHandler(GetConversation)
export class GetConversationHandler implements IQueryHandler<GetConversation> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async execute({ projectId, conversationId }: GetConversation): Promise<Conversation> {
    const conversation = await loadConversation(this.streams, projectId, conversationId);
    return asOf(conversation, this.clock.now(), this.settings.conversationIdleMs);
  }
}
