import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sessionDecider } from '@domain/session/session.decider';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import type { Page } from '../paging/page.js';
import { PagedLists } from '../paging/paged-list.js';
import { idFor } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { SessionDirectory } from './session-directory.js';
import { sessionStream } from './session-stream.js';
import { findTurn, turnOf, TURNS, turnsOf } from './session-turns.js';
import { AddSessionTurn, ListSessionTurns, type SessionTurnView } from './session.commands.js';

@CommandHandler(AddSessionTurn)
export class AddSessionTurnHandler implements ICommandHandler<AddSessionTurn> {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async execute({ context, sessionId, role, content, spokenAt }: AddSessionTurn): Promise<SessionTurnView> {
    await this.directory.load(context.projectId, sessionId);
    const turnId = idFor(this.ids, context, 'turn', 'turn');
    const earlier = context.isRetry ? await findTurn(this.store, sessionId, turnId) : null;
    if (earlier) return earlier;
    const command = { type: 'AddSessionTurn', at: this.clock.now(), turnId, role, content, spokenAt } as const;
    const { commandId, envelope } = context;
    const { events } = await this.streams.run(sessionStream(sessionId), sessionDecider, command, envelope, { commandId });
    const [added] = events;
    const turn = added ? turnOf(sessionId, added) : await findTurn(this.store, sessionId, turnId);
    if (!turn) throw new Error('the turn was stored before and is not there');
    return turn;
  }
}

@QueryHandler(ListSessionTurns)
export class ListSessionTurnsHandler implements IQueryHandler<ListSessionTurns> {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly store: EventStore,
    private readonly lists: PagedLists,
  ) {}

  async execute({ projectId, sessionId, page }: ListSessionTurns): Promise<Page<SessionTurnView>> {
    this.lists.judge(TURNS, page);
    await this.directory.load(projectId, sessionId);
    const source = turnsOf(this.store, await this.store.identity(), sessionId);
    const { items, ...rest } = await this.lists.page({ ...source, walkedBy: projectId }, page);
    return { ...rest, items: items.map(({ item }) => item) };
  }
}
