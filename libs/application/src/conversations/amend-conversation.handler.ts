import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { asOf, type Conversation } from '@domain/conversation/conversation';
import { conversationDecider, customerAlreadyLinked, refuseEnded } from '@domain/conversation/conversation.decider';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Settings } from '@ports/settings.port';
import type { CustomerInput } from '../customers/customer.commands.js';
import { CustomerDirectory } from '../customers/customer-directory.js';
import { idFor, type RequestContext } from '../runtime/request-context.js';
import { findEvent } from '../streams/stream-records.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { AmendConversation } from './conversation.commands.js';
import { conversationStream, loadConversation } from './state/conversation-stream.js';

@CommandHandler(AmendConversation)
export class AmendConversationHandler implements ICommandHandler<AmendConversation> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly customers: CustomerDirectory,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  async execute({ context, conversationId, amendment }: AmendConversation): Promise<Conversation> {
    const conversation = await this.load(context, conversationId);
    if (context.isRetry && (await this.hasRun(conversationId, context)))
      // The first execution's append may have landed since the conversation was loaded.
      return this.load(context, conversationId);
    refuseEnded(conversation);
    const { customer, ...others } = amendment;
    const linked = customer && { customerId: await this.customerOf(conversation, customer, context) };
    const { commandId, envelope } = context;
    const changes = { ...others, ...linked };
    const amend = { type: 'AmendConversation', at: this.clock.now(), changes, commandId } as const;
    const stream = conversationStream(conversationId);
    return this.asOfNow((await this.streams.run(stream, conversationDecider, amend, envelope, { commandId })).state);
  }

  private async load({ projectId }: RequestContext, conversationId: string): Promise<Conversation> {
    return this.asOfNow(await loadConversation(this.streams, projectId, conversationId));
  }

  /** Refuses another customer before one is created or completed for it. */
  private async customerOf(
    { customerId, projectId }: Conversation,
    input: CustomerInput,
    context: RequestContext,
  ): Promise<string> {
    if (customerId !== null && (await this.customers.whose(projectId, input)) !== customerId)
      throw customerAlreadyLinked(customerId);
    const candidate = idFor(this.ids, context, 'customer', 'customer');
    return (await this.customers.link(projectId, input, candidate, context)).customer.id;
  }

  private async hasRun(conversationId: string, { commandId, startedAt }: RequestContext): Promise<boolean> {
    const isIt = (event: ConversationEvent) => event.type === 'ConversationAmended' && event.commandId === commandId;
    const history = this.streams.history<ConversationEvent>(conversationStream(conversationId), startedAt);
    return (await findEvent(history, isIt)) !== null;
  }

  private asOfNow(conversation: Conversation): Conversation {
    return asOf(conversation, this.clock.now(), this.settings.conversationIdleMs);
  }
}
