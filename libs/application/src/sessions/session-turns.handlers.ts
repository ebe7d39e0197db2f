import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sessionDecider } from '@domain/session/session.decider';
import type { SessionEvent } from '@domain/session/session.events';
import { Clock } from '@ports/clock.port';
import { EventStore, type Recorded } from '@ports/event-store.port';
import type { Page } from '../projections/page.js';
import type { ListKind } from '../projections/cursor.js';
import { PagedLists, sortIdOf, sourceOf } from '../projections/paged-list.js';
import { StreamRunner } from '../stream-runner.js';
import { AddSessionTurn, ListSessionTurns, type SessionTurnView } from './session.commands.js';
import { SessionDirectory, sessionStream } from './session-directory.js';

const TURNS: ListKind = { list: 'session_turns', idKind: 'turn' };

@CommandHandler(AddSessionTurn)
export class AddSessionTurnHandler implements ICommandHandler<AddSessionTurn> {
  constructor(
    private readonly directory: SessionDirectory,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async execute({ origin, sessionId, role, content, spokenAt }: AddSessionTurn): Promise<SessionTurnView> {
    await this.directory.load(origin.projectId, sessionId);
    const turnId = origin.id('turn', 'turn');
    const command = { type: 'AddSessionTurn', at: this.clock.now(), turnId, role, content, spokenAt } as const;
    const { events } = await this.streams.run(sessionStream(sessionId), sessionDecider, command, origin.commandId);
    const [added] = events.length > 0 ? turnsIn(sessionId, events) : await this.stored(sessionId, turnId);
    if (!added) throw new Error('the turn was stored before and is not there');
    return added;
  }

  private async stored(sessionId: string, turnId: string): Promise<readonly SessionTurnView[]> {
    const records = await this.store.read<SessionEvent>(sessionStream(sessionId));
    return turnsIn(
      sessionId,
      records.map(({ event }) => event),
    ).filter(({ id }) => id === turnId);
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
    const records = await this.store.read<SessionEvent>(sessionStream(sessionId));
    const placed = records.flatMap((record) => placedTurn(sessionId, record));
    const log = `${await this.store.identity()}/${sessionId}`;
    const keys = new Map(placed.map(({ turn, sortId }) => [turn.id, sortId]));
    const turns = placed.map(({ turn }) => turn);
    const source = sourceOf({ ...TURNS, log }, turns, ({ id, createdAt }) => ({
      createdAt,
      sortId: keys.get(id) ?? '',
    }));
    return this.lists.page(source, page);
  }
}

function placedTurn(sessionId: string, { event, revision }: Recorded<SessionEvent>) {
  const sortId = sortIdOf(revision);
  return turnsIn(sessionId, [event]).map((turn) => ({ turn, sortId }));
}

function turnsIn(sessionId: string, events: readonly SessionEvent[]): readonly SessionTurnView[] {
  return events.flatMap((event) => {
    if (event.type !== 'SessionTurnAdded') return [];
    const { turnId: id, role, content, spokenAt, at: createdAt } = event;
    return [{ id, sessionId, role, content, at: spokenAt, createdAt }];
  });
}
