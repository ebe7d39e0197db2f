import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { UNOPENED_SESSION, durationSeconds, sessionDecider, staleAt, type Session } from '@domain/session/session.decider';
import type { SessionEvent, SessionStatus } from '@domain/session/session.events';
import { renderJson } from '@domain/kernel/json-text';
import { streamCategory, idIn } from '@ports/stream-category';
import type { ProjectedRow, Projection } from '../read-models/projection.js';
import type { SessionView } from './session.commands.js';
import { sessionStream } from './session-stream.js';
import { toSessionResource } from './session.resource.js';

/** Only the first appointments of a call are shown: answers and lists contain them without paging. */
export const MAX_BOOKED_SHOWN = 1_000;

export interface SessionRow extends Omit<Session, 'id' | 'projectId' | 'turnIds' | 'status'> {
  readonly status: SessionStatus;
  readonly appointmentIds: readonly string[];
  /** Null without a booking and in rows of earlier versions. */
  readonly lastBookedAt: number | null;
  /** From when the call counts as stale; null once it is closed. */
  readonly staleAt: number | null;
}

export const sessionsProjection: Projection<SessionEvent | AppointmentEvent, SessionRow> = {
  schema: {
    name: 'sessions',
    version: 1,
    filterFields: ['status', 'customerId', 'conversationId', 'direction', 'startedAt', 'externalId'],
    dueFields: ['staleAt'],
  },
  columns: {
    status: { type: 'text', meaning: 'Whether the call goes on.' },
    direction: { type: 'text', meaning: 'Who called whom.' },
    externalId: { type: 'text', meaning: "The telephony's own id of the call; null where none was given." },
    from: { type: 'text', meaning: 'Who called; null where that was not said.' },
    to: { type: 'text', meaning: 'Who was called; null where that was not said.' },
    customerId: { type: 'text', meaning: 'Whom the call is with; null where nobody was named.' },
    conversationId: { type: 'text', meaning: 'The conversation that it belongs to; null where none was named.' },
    appointmentIds: { type: 'json', meaning: 'What was booked on it: the ids of the first 1,000 appointments.' },
    outcome: { type: 'text', meaning: 'What came of it; null until it is told.' },
    endReason: { type: 'text', meaning: 'Why it ended; null until it is told.' },
    summary: { type: 'text', meaning: 'What it was about, for people; null until that is told.' },
    metadata: { type: 'json', meaning: 'What the client keeps with it, as it was sent.' },
    startedAt: { type: 'time', meaning: 'When it began.' },
    endedAt: { type: 'time', meaning: 'When it was over; null while it goes on.' },
    lastEventAt: { type: 'time', meaning: 'When something of it was last stored, bookings left out.' },
    lastBookedAt: { type: 'time', meaning: 'When something was last booked on it; null before.' },
    staleAt: { leftOut: 'An index: from when it counts as over without an end.' },
  },
  idKind: 'session',
  categories: ['session', 'appointment'],
  rowIds({ stream, event }) {
    const id = streamCategory(stream) === 'session' ? idIn(stream) : bookedIn(event);
    return id === null ? [] : [id];
  },
  begins: ({ event }) => event.type === 'SessionOpened',
  streamsOf: ({ appointmentIds }, id) => [sessionStream(id), ...appointmentIds.map((each) => `appointment-${each}`)],
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

export function toSessionView({ id, row }: { readonly id: string; readonly row: SessionRow }): SessionView {
  const { staleAt: _stale, lastEventAt: _last, lastBookedAt: _booked, ...shown } = row;
  return { id, ...shown, durationSeconds: durationSeconds(row) };
}

/** Drops the previous `text`: its closure refers to the row before it, and so on, which would leak memory. */
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
