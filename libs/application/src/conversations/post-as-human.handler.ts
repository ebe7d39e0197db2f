import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Settings } from '@ports/settings.port';
import { idFor, type RequestContext } from '../runtime/request-context.js';
import { findEvent } from '../streams/stream-records.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { PostAsHuman } from './conversation.commands.js';
import { conversationStream, loadConversation, messageOf } from './state/conversation-stream.js';
import type { MessageView } from './state/message-view.js';

@CommandHandler(PostAsHuman)
export class PostAsHumanHandler implements ICommandHandler<PostAsHuman> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  async execute({ context, conversationId, content, name }: PostAsHuman): Promise<MessageView> {
    await loadConversation(this.streams, context.projectId, conversationId);
    const messageId = idFor(this.ids, context, 'message', 'message');
    const earlier = context.isRetry ? await this.stored(context, conversationId, messageId) : null;
    if (earlier) return earlier;
    const at = this.clock.now();
    const idle = { type: 'EndIdleConversation', at, idleMs: this.settings.conversationIdleMs } as const;
    const reply = { type: 'ReplyAsHuman', at, messageId, content, name } as const;
    const { commandId, envelope } = context;
    const stream = conversationStream(conversationId);
    const { events } = await this.streams.run(stream, conversationDecider, [idle, reply], envelope, { commandId });
    const message = events.map((event) => messageOf(conversationId, event)).find((each) => each?.id === messageId);
    // Another request with the same key may have stored it meanwhile.
    const stored = message ?? (await this.stored(context, conversationId, messageId));
    if (!stored) throw new DomainError('internal_error', 'The stored message is missing.');
    return stored;
  }

  private async stored({ startedAt }: RequestContext, conversationId: string, messageId: string): Promise<MessageView | null> {
    const isIt = (event: ConversationEvent) => event.type === 'HumanReplied' && event.messageId === messageId;
    const history = this.streams.history<ConversationEvent>(conversationStream(conversationId), startedAt);
    const event = await findEvent(history, isIt);
    return event && messageOf(conversationId, event);
  }
}
