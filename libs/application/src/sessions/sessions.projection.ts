import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { UNOPENED_SESSION, durationSeconds, sessionDecider, staleAt, type Session } from '@domain/session/session.decider';
import type { SessionEvent, SessionStatus } from '@domain/session/session.events';
import { renderJson } from '@domain/kernel/json-text';
import { streamCategory, idIn } from '@ports/stream-category';
import type { ProjectedRow, Projection } from '../read-models/projection.js';
import type { SessionView } from './session.commands.js';
import { toSessionResource } from './session.resource.js';

/** The most appointments that a call shows, the first ones: answers and lists contain all of them without paging. */
export const MAX_BOOKED_SHOWN = 1_000;

/** A call as lists show it. */
export interface SessionRow extends Omit<Session, 'id' | 'projectId' | 'turnIds' | 'status'> {
  readonly status: SessionStatus;
  readonly appointmentIds: readonly string[];
  /** The time of the last booking; null without one and in rows of earlier versions. */
  readonly lastBookedAt: number | null;
  /** The instant from which on the call counts as stale; null once it is closed. */
  readonly staleAt: number | null;
}

export const sessionsProjection: Projection<SessionEvent | AppointmentEvent, SessionRow> = {
  schema: {
    name: 'sessions',
    version: 1,
    filterFields: ['status', 'customerId', 'conversationId', 'direction', 'startedAt', 'externalId'],
    dueFields: ['staleAt'],
  },
  idKind: 'session',
  categories: ['session', 'appointment'],
  rowIds({ stream, event }) {
    const id = streamCategory(stream) === 'session' ? idIn(stream) : bookedIn(event);
    return id === null ? [] : [id];
  },
  begins: ({ event }) => event.type === 'SessionOpened',
  project(before, { event, stream }) {
    if (!isOfSession(event)) return before && withAppointment(bookedIn(event) ?? '', before, event);
    if (before === null && event.type !== 'SessionOpened') return null;
    const known = before && { ...UNOPENED_SESSION, ...before.row, id: idIn(stream), projectId: before.projectId };
    const state = sessionDecider.evolve(known ?? UNOPENED_SESSION, event);
    const { appointmentIds = [], lastBookedAt = null } = before?.row ?? {};
    const row = { ...toRow(state, appointmentIds), lastBookedAt };
    return shown(state.id, { projectId: state.projectId, createdAt: state.startedAt, deleted: false, row });
  },
};

/** The view of a call by its row. */
export function toSessionView({ id, row }: { readonly id: string; readonly row: SessionRow }): SessionView {
  const { staleAt: _stale, lastEventAt: _last, lastBookedAt: _booked, ...shown } = row;
  return { id, ...shown, durationSeconds: durationSeconds(row) };
}

/** Leaves the previous `text` out: its closure refers to the row before it, and so on, which would leak memory. */
function shown(id: string, { text: _before, ...projected }: ProjectedRow<SessionRow>): ProjectedRow<SessionRow> {
  return { ...projected, text: () => renderJson(toSessionResource(toSessionView({ id, row: projected.row }))) };
}

function isOfSession(event: SessionEvent | AppointmentEvent): event is SessionEvent {
  return event.type.startsWith('Session');
}

function bookedIn(event: SessionEvent | AppointmentEvent): string | null {
  return event.type === 'AppointmentBooked' || event.type === 'AppointmentBookingFailed' ? event.sessionId : null;
}

function withAppointment(id: string, before: ProjectedRow<SessionRow>, event: AppointmentEvent): ProjectedRow<SessionRow> | null {
  if (!('appointmentId' in event) || event.projectId !== before.projectId) return null;
  const known = before.row.appointmentIds;
  const appointmentIds = known.length < MAX_BOOKED_SHOWN ? [...known, event.appointmentId] : known;
  return shown(id, { ...before, row: { ...before.row, appointmentIds, lastBookedAt: event.at } });
}

/** The row of a call in this state, with the appointments made on it. */
export function toRow(state: Session, appointmentIds: readonly string[]): SessionRow {
  const { externalId, direction, from, to, customerId, conversationId, metadata } = state;
  const { outcome, endReason, summary, startedAt, endedAt, lastEventAt } = state;
  const status = state.status === 'closed' ? 'closed' : 'open';
  return {
    status,
    externalId,
    direction,
    from,
    to,
    customerId,
    conversationId,
    metadata,
    outcome,
    endReason,
    summary,
    startedAt,
    endedAt,
    lastEventAt,
    appointmentIds,
    lastBookedAt: null,
    staleAt: staleAt({ status, lastEventAt }),
  };
}
