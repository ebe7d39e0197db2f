import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sessionDecider } from '@domain/session/session.decider';
import { Clock } from '@ports/clock.port';
import { loadConversation } from '../conversations/conversation.handlers.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { SessionDirectory, sessionStream } from './session-directory.js';
import { SessionViews, viewOf } from './session-views.js';
import { CloseSession, GetSession, OpenSession, type OpenedSession, type SessionView } from './session.commands.js';

@CommandHandler(OpenSession)
export class OpenSessionHandler implements ICommandHandler<OpenSession> {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly streams: StreamRunner,
    private readonly views: SessionViews,
    private readonly clock: Clock,
  ) {}

  async execute({ origin, input }: OpenSession): Promise<OpenedSession> {
    const { projectId } = origin;
    const sessionId = origin.id('session', 'session');
    const earlier = origin.again ? await this.directory.peek(sessionId) : null;
    if (earlier) return { session: await this.views.viewOf(earlier), created: true };
    if (input.conversationId !== null) await loadConversation(this.streams, projectId, input.conversationId, 'conversation_id');
    const creation = { ...input, sessionId, projectId, at: this.clock.now() };
    const session = await this.directory.open(creation, origin.commandId);
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

  async execute({ origin, sessionId, end }: CloseSession): Promise<SessionView> {
    await this.directory.load(origin.projectId, sessionId);
    const command = { type: 'CloseSession', at: this.clock.now(), ...end } as const;
    const { state } = await this.streams.run(sessionStream(sessionId), sessionDecider, command, origin.commandId);
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
