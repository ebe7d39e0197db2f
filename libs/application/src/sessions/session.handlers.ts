import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sessionDecider } from '@domain/session/session.decider';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { loadConversation } from '../conversations/state/conversation-stream.js';
import { idFor } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { SessionDirectory } from './session-directory.js';
import { sessionStream } from './session-stream.js';
import { SessionOpening } from './session-opening.js';
import { SessionViews, viewOf } from './session-views.js';
import { CloseSession, GetSession, OpenSession, type OpenedSession, type SessionView } from './session.commands.js';

@CommandHandler(OpenSession)
export class OpenSessionHandler implements ICommandHandler<OpenSession> {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly opening: SessionOpening,
    private readonly streams: StreamRunner,
    private readonly views: SessionViews,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async execute({ context, input }: OpenSession): Promise<OpenedSession> {
    const { projectId } = context;
    const sessionId = idFor(this.ids, context, 'session', 'session');
    const earlier = context.isRetry ? await this.directory.peek(sessionId) : null;
    if (earlier) return { session: await this.views.viewOf(earlier), created: true };
    if (input.conversationId !== null) await loadConversation(this.streams, projectId, input.conversationId, 'conversation_id');
    const creation = { ...input, sessionId, projectId, at: this.clock.now() };
    const session = await this.opening.open(creation, context);
    if (session.id === sessionId) return { session: viewOf(session, []), created: true };
    return { session: await this.views.viewOf(session), created: false };
  }
}

@CommandHandler(CloseSession)
export class CloseSessionHandler implements ICommandHandler<CloseSession> {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly streams: StreamRunner,
    private readonly views: SessionViews,
    private readonly clock: Clock,
  ) {}

  async execute({ context, sessionId, end }: CloseSession): Promise<SessionView> {
    await this.directory.load(context.projectId, sessionId);
    const command = { type: 'CloseSession', at: this.clock.now(), ...end } as const;
    const { commandId, envelope } = context;
    const { state } = await this.streams.run(sessionStream(sessionId), sessionDecider, command, envelope, { commandId });
    return this.views.viewOf(state);
  }
}

@QueryHandler(GetSession)
export class GetSessionHandler implements IQueryHandler<GetSession> {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly views: SessionViews,
  ) {}

  async execute({ projectId, sessionId }: GetSession): Promise<SessionView> {
    return this.views.whole(await this.directory.load(projectId, sessionId));
  }
}
