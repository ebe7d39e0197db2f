import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { asOf, type Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { DomainError } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Settings } from '@ports/settings.port';
import { idFor } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { OpenConversation } from './conversation.commands.js';
import { conversationStream } from './state/conversation-stream.js';
import { Threads, type ConversationCreation } from './threads.js';

/** Claims the thread first, so that losers of a race create nothing. */
@CommandHandler(OpenConversation)
export class OpenConversationHandler implements ICommandHandler<OpenConversation> {
  constructor(
    private readonly threads: Threads,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {}

  async execute({ context, input }: OpenConversation): Promise<Conversation> {
    const { projectId } = context;
    const conversationId = idFor(this.ids, context, 'conversation', 'conversation');
    const earlier = context.isRetry ? await this.opened(conversationId) : null;
    if (earlier) return earlier;
    const creation: ConversationCreation = { ...input, conversationId, projectId, at: this.clock.now() };
    if (input.externalId === null) return this.open(creation, context.envelope);
    const live = await this.threads.resolve(creation, input.externalId, context);
    const conversation = await this.open(live.creation, context.envelope);
    if (live.won) return conversation;
    throw new DomainError('external_id_taken', 'A live conversation already uses this external_id.', {
      param: 'external_id',
      extras: { existing_id: live.conversationId },
    });
  }

  private async open(creation: ConversationCreation, envelope: Envelope): Promise<Conversation> {
    const opened = await this.opened(creation.conversationId);
    if (opened) return opened;
    const stream = conversationStream(creation.conversationId);
    const opening = await this.threads.opening(creation, envelope);
    const commandId = `${creation.conversationId}:open`;
    return (await this.streams.run(stream, conversationDecider, opening, envelope, { commandId })).state;
  }

  private async opened(conversationId: string): Promise<Conversation | null> {
    const { state } = await this.streams.load(conversationStream(conversationId), conversationDecider);
    return state.status === 'unopened' ? null : asOf(state, this.clock.now(), this.settings.conversationIdleMs);
  }
}
