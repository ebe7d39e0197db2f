import { eventIdOf } from '../event/event-id.js';
import type { AppointmentEvent } from './appointment.events.js';
import type { Appointment } from './appointment.js';
import type { Actor } from './cause.js';
import { changeIdOf } from './change-id.js';
import { changeReason, emittedType, EMITTED_TYPES, type EmittedType } from './emission.js';
import { evolveAppointment } from './evolve-appointment.js';

type KindOf<Type> = Type extends `appointment.${infer Kind}` ? Kind : never;

/** That of the event that a change emits, or `amended` where it emits none. */
export type ChangeType = KindOf<EmittedType> | 'amended';
export const CHANGE_TYPES: readonly ChangeType[] = [...EMITTED_TYPES.map(kindOf), 'amended'];

/** A change that was made: what made a version of an appointment of the one before. */
export interface PastChange {
  readonly id: string;
  readonly type: ChangeType;
  readonly at: number;
  readonly actor: Actor;
  readonly reason: string;
  /** Of the event that it emitted; null where it emitted none. */
  readonly eventId: string | null;
  /** `unbooked` before the first. */
  readonly before: Appointment;
  readonly after: Appointment;
}

/** Null for an event that changes nothing, such as one of a later version. `revision` is its number in its stream. */
export function pastChangeOf(before: Appointment, event: AppointmentEvent, revision: number): PastChange | null {
  const after = evolveAppointment(before, event);
  if (after === before) return null;
  const emitted = emittedType(event);
  return {
    id: changeIdOf(after.id, after.version),
    type: emitted ? kindOf(emitted) : 'amended',
    at: event.at,
    actor: event.cause.actor,
    reason: changeReason(event),
    eventId: emittedIdOf(after.id, revision, event),
    before,
    after,
  };
}

/** The id of the event that a change emits; null if it emits none. */
export function emittedIdOf(
  appointmentId: string,
  revision: number,
  event: Pick<AppointmentEvent, 'type' | 'at'>,
): string | null {
  return emittedType(event) && eventIdOf(appointmentId, revision, event.at);
}

function kindOf(type: EmittedType): ChangeType {
  return type.slice(type.indexOf('.') + 1) as ChangeType;
}
