import type { SessionEvent } from '@domain/session/session.events';
import type { EventStore } from '@ports/event-store.port';
import type { ListKind } from '../paging/cursor.js';
import type { PagedSource } from '../paging/paged-list.js';
import { streamList, type Placed } from '../streams/stream-list.js';
import { recordsOf } from '../streams/stream-records.js';
import { sessionStream } from './session-stream.js';
import type { SessionTurnView } from './session.commands.js';

export const TURNS: ListKind = { list: 'session_turns', idKind: 'turn' };

export function turnsOf(store: EventStore, log: string, sessionId: string): PagedSource<Placed<SessionTurnView>> {
  const name = { ...TURNS, log: `${log}/${sessionId}` };
  return streamList(name, store, sessionStream(sessionId), (event: SessionEvent) => turnOf(sessionId, event));
}

/** Reads backwards, because most requested turns are recent. */
export async function findTurn(store: EventStore, sessionId: string, turnId: string): Promise<SessionTurnView | null> {
  for await (const { event } of recordsOf<SessionEvent>(store, sessionStream(sessionId), 'desc')) {
    const turn = turnOf(sessionId, event);
    if (turn?.id === turnId) return turn;
  }
  return null;
}

export function turnOf(sessionId: string, event: SessionEvent): SessionTurnView | null {
  if (event.type !== 'SessionTurnAdded') return null;
  const { turnId: id, role, content, spokenAt: at, at: createdAt } = event;
  return { id, sessionId, role, content, at, createdAt };
}
