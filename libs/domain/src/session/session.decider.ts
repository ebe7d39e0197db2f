import { type Decider, unchanged } from '../kernel/decider.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import type { Role } from '../kernel/role.js';
import type { SessionDetails, SessionEvent, SessionOutcome, SessionStatus } from './session.events.js';

/** An open call without events for this long is over. */
export const STALE_AFTER_MS = 4 * 3_600_000;

/** A call, folded from its stream; `unopened` before the first event. */
export interface Session extends Omit<SessionDetails, 'sessionId'> {
  readonly status: 'unopened' | SessionStatus;
  readonly id: string;
  readonly outcome: SessionOutcome | null;
  readonly endReason: string | null;
  readonly summary: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly lastEventAt: number;
  /** The latest turns, so that a retried one is not added twice. */
  readonly turnIds: readonly string[];
}

const REMEMBERED_TURNS = 100;

export type SessionCommand =
  | ({ readonly type: 'OpenSession'; readonly at: number } & SessionDetails)
  | {
      readonly type: 'AddSessionTurn';
      readonly at: number;
      readonly turnId: string;
      readonly role: Role;
      readonly content: string;
      readonly spokenAt: number | null;
    }
  | {
      readonly type: 'CloseSession';
      readonly at: number;
      readonly outcome: SessionOutcome | null;
      readonly endReason: string | null;
      readonly summary: string | null;
      readonly endedAt: number | null;
    }
  | { readonly type: 'CloseStaleSession'; readonly at: number; readonly lastBookedAt: number | null };

export const UNOPENED_SESSION: Session = {
  status: 'unopened',
  id: '',
  projectId: '',
  externalId: null,
  direction: 'inbound',
  from: null,
  to: null,
  customerId: null,
  conversationId: null,
  metadata: '{}',
  outcome: null,
  endReason: null,
  summary: null,
  startedAt: 0,
  endedAt: null,
  lastEventAt: 0,
  turnIds: [],
};

export const sessionDecider: Decider<Session, SessionCommand, SessionEvent> = {
  initial: UNOPENED_SESSION,
  decide(command, session) {
    const at = Math.max(command.at, session.lastEventAt);
    switch (command.type) {
      case 'OpenSession':
        return session.status === 'unopened' ? [{ ...command, type: 'SessionOpened', at }] : [];
      case 'AddSessionTurn':
        return addTurn(command, session, at);
      case 'CloseSession':
        return close(command, session, at);
      case 'CloseStaleSession': {
        const since = staleAt(session);
        if (since === null || command.at < since) return [];
        const endedAt = Math.min(at, Math.max(session.lastEventAt, command.lastBookedAt ?? 0));
        return [{ type: 'SessionClosed', at, outcome: null, endReason: 'stale', summary: null, endedAt }];
      }
    }
  },
  evolve(session, event) {
    const { at } = event;
    switch (event.type) {
      case 'SessionOpened': {
        const { sessionId: id, projectId, externalId, direction, from, to, customerId, conversationId, metadata } = event;
        const details = { id, projectId, externalId, direction, from, to, customerId, conversationId, metadata };
        return { ...UNOPENED_SESSION, ...details, status: 'open', startedAt: at, lastEventAt: at };
      }
      case 'SessionTurnAdded':
        return { ...session, lastEventAt: at, turnIds: [...session.turnIds, event.turnId].slice(-REMEMBERED_TURNS) };
      case 'SessionClosed': {
        const { outcome, endReason, summary, endedAt } = event;
        return { ...session, status: 'closed', outcome, endReason, summary, endedAt, lastEventAt: at };
      }
      default:
        return unchanged(session, event);
    }
  },
};

export function staleAt({ status, lastEventAt }: Pick<Session, 'status' | 'lastEventAt'>): number | null {
  return status === 'open' ? lastEventAt + STALE_AFTER_MS : null;
}

export function durationSeconds({ startedAt, endedAt }: Pick<Session, 'startedAt' | 'endedAt'>): number | null {
  return endedAt === null ? null : Math.round((endedAt - startedAt) / 1000);
}

type Command<Type extends SessionCommand['type']> = Extract<SessionCommand, { type: Type }>;

function addTurn(command: Command<'AddSessionTurn'>, session: Session, at: number): SessionEvent[] {
  if (session.status === 'unopened') throw resourceMissing('session');
  if (session.turnIds.includes(command.turnId)) return [];
  if (session.status === 'closed') throw new DomainError('session_closed', 'The session is closed.');
  const { turnId, role, content, spokenAt } = command;
  return [{ type: 'SessionTurnAdded', at, turnId, role, content, spokenAt: spokenAt ?? at }];
}

function close(command: Command<'CloseSession'>, session: Session, at: number): SessionEvent[] {
  if (session.status === 'unopened') throw resourceMissing('session');
  if (session.status === 'closed') return [];
  const { outcome, endReason, summary } = command;
  const endedAt = Math.max(command.endedAt ?? at, session.startedAt);
  return [{ type: 'SessionClosed', at, outcome, endReason, summary, endedAt }];
}
