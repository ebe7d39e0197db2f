import type { SessionEvent } from '@domain/session/session.events';
import type { EventStore } from '@ports/event-store.port';
import type { SortKey } from '@ports/read-models.port';
import type { ListKind } from '../projections/cursor.js';
import { compareKeys, sortIdOf, type Order, type PagedSource } from '../projections/paged-list.js';
import { firstRevision, recordsOf } from '../stream-walk.js';
import type { SessionTurnView } from './session.commands.js';
import { sessionStream } from './session-directory.js';

export const TURNS: ListKind = { list: 'session_turns', idKind: 'turn' };

/** A turn and its place: its stream's revision is its sort id. */
export interface PlacedTurn {
  readonly turn: SessionTurnView;
  readonly key: SortKey;
}

/** A call's turns as a list to be walked: pages are ranges of the stream itself. */
export function turnsOf(store: EventStore, log: string, sessionId: string): PagedSource<PlacedTurn> {
  const all = (order: Order, after?: SortKey) => placedTurns(store, sessionId, order, after);
  return {
    ...TURNS,
    log: `${log}/${sessionId}`,
    keyOf: ({ key }) => key,
    find: async (id) => (await findTurn(store, sessionId, id))?.key ?? null,
    fetch: async (order, after, limit) => {
      const page: PlacedTurn[] = [];
      for await (const placed of all(order, after)) if (page.push(placed) >= limit) break;
      return page;
    },
  };
}

/** Those asked for are mostly among the last. */
export async function findTurn(store: EventStore, sessionId: string, turnId: string): Promise<PlacedTurn | null> {
  for await (const placed of placedTurns(store, sessionId, 'desc', undefined)) if (placed.turn.id === turnId) return placed;
  return null;
}

export function turnOf(sessionId: string, event: SessionEvent): SessionTurnView | null {
  if (event.type !== 'SessionTurnAdded') return null;
  const { turnId: id, role, content, spokenAt: at, at: createdAt } = event;
  return { id, sessionId, role, content, at, createdAt };
}

async function* placedTurns(
  store: EventStore,
  sessionId: string,
  order: Order,
  after: SortKey | undefined,
): AsyncGenerator<PlacedTurn> {
  const sign = order === 'asc' ? 1 : -1;
  const records = recordsOf<SessionEvent>(store, sessionStream(sessionId), order, firstRevision(after, sign));
  for await (const { event, revision } of records) {
    const turn = turnOf(sessionId, event);
    if (!turn) continue;
    const key = { createdAt: turn.createdAt, sortId: sortIdOf(revision) };
    if (!after || sign * compareKeys(key, after) > 0) yield { turn, key };
  }
}
