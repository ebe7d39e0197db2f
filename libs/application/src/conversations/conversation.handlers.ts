import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { asOf, type Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { Clock } from '@ports/clock.port';
import { Settings } from '@ports/settings.port';
import { StreamRunner } from '../streams/stream-runner.js';
import { ConversationLines } from './post/conversation-queue.js';
import { conversationStream } from './conversation-stream.js';
import { EndConversation, GetConversation } from './conversation.commands.js';

@CommandHandler(EndConversation)
export class EndConversationHandler implements ICommandHandler<EndConversation> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly lines: ConversationLines,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** An idle end that is due comes first: who idled out was not ended explicitly. */
  async execute({ context, conversationId, note }: EndConversation): Promise<Conversation> {
    await loadConversation(this.streams, context.projectId, conversationId);
    const at = this.clock.now();
    const idle = { type: 'EndIdleConversation', at, idleMs: this.settings.conversationIdleMs } as const;
    const end = { type: 'EndConversation', at, note } as const;
    const stream = conversationStream(conversationId);
    const { state } = await this.streams.run(stream, conversationDecider, [idle, end], context.commandId);
    this.lines.release(conversationId);
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

/** The newest state of a project's conversation; unknown, foreign and malformed ids are refused alike. */
export async function loadConversation(
  streams: StreamRunner,
  projectId: string,
  conversationId: string,
  param = 'id',
): Promise<Conversation> {
  if (!isId('conversation', conversationId)) throw resourceMissing('conversation', param);
  const { state } = await streams.load(conversationStream(conversationId), conversationDecider);
  if (state.status === 'unopened' || state.projectId !== projectId) throw resourceMissing('conversation', param);
  return state;
}
