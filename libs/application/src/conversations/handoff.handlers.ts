import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { Clock } from '@ports/clock.port';
import { Settings } from '@ports/settings.port';
import type { RequestContext } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { HandOffConversation, ResumeConversation } from './conversation.commands.js';
import { ConversationQueue } from './post/conversation-router.js';
import { conversationStream, loadConversation } from './state/conversation-stream.js';

@CommandHandler(HandOffConversation)
export class HandOffConversationHandler implements ICommandHandler<HandOffConversation> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly queue: ConversationQueue,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Messages that wait for the turn under way stop waiting. */
  async execute({ context, conversationId, reason, summary }: HandOffConversation): Promise<Conversation> {
    await loadConversation(this.streams, context.projectId, conversationId);
    const done = await doneBefore(this.streams, context, conversationId, 'ConversationHandedOff');
    if (done) return done;
    const at = this.clock.now();
    const idle = { type: 'EndIdleConversation', at, idleMs: this.settings.conversationIdleMs } as const;
    const handOff = { type: 'HandOff', at, reason, summary } as const;
    const { commandId, envelope } = context;
    const stream = conversationStream(conversationId);
    const { state } = await this.streams.run(stream, conversationDecider, [idle, handOff], envelope, { commandId });
    this.queue.release(conversationId);
    return state;
  }
}

@CommandHandler(ResumeConversation)
export class ResumeConversationHandler implements ICommandHandler<ResumeConversation> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async execute({ context, conversationId, note }: ResumeConversation): Promise<Conversation> {
    await loadConversation(this.streams, context.projectId, conversationId);
    const done = await doneBefore(this.streams, context, conversationId, 'ConversationResumed');
    if (done) return done;
    const at = this.clock.now();
    const idle = { type: 'EndIdleConversation', at, idleMs: this.settings.conversationIdleMs } as const;
    const resume = { type: 'Resume', at, note } as const;
    const { commandId, envelope } = context;
    const stream = conversationStream(conversationId);
    return (await this.streams.run(stream, conversationDecider, [idle, resume], envelope, { commandId })).state;
  }
}

/**
 * The conversation, if an earlier execution under the same key did it. Done again after a crash, it would undo what came in between:
 * hand over again what was given back, or give back what was handed over again.
 */
async function doneBefore(
  streams: StreamRunner,
  { projectId, isRetry, startedAt, envelope }: RequestContext,
  conversationId: string,
  type: ConversationEvent['type'],
): Promise<Conversation | null> {
  if (!isRetry) return null;
  const history = streams.history<ConversationEvent>(conversationStream(conversationId), startedAt);
  for await (const { event, metadata } of history)
    if (event.type === type && metadata?.$correlationId === envelope.$correlationId)
      return loadConversation(streams, projectId, conversationId);
  return null;
}
