import { Injectable } from '@nestjs/common';
import { UNBOOKED, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emission, emittedType } from '@domain/appointment/emission';
import { evolveAppointment } from '@domain/appointment/evolution';
import { eventIdOf } from '@domain/event/event-id';
import type { FrozenEvent } from '@domain/delivery/delivery.events';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { toEventBody } from './event.resource.js';

const APPOINTMENT = 'appointment-';

/** The events that changes of appointments emit, made from the ledger alone: always the same bytes. */
@Injectable()
export class EmittedEvents {
  constructor(private readonly store: EventStore) {}

  /** What the change at this place of an appointment's stream emitted; null when nothing. */
  async at(stream: string, revision: number): Promise<FrozenEvent | null> {
    const records = await this.store.read<AppointmentEvent>(stream, { limit: revision + 1 });
    const last = records[revision];
    if (!last) return null;
    const before = records.slice(0, -1).reduce<Appointment>((state, { event }) => evolveAppointment(state, event), UNBOOKED);
    return frozen(before, last);
  }
}

/** The id of the event that a stored change emits; null when it emits none. */
export function emittedId({ stream, revision, event }: Recorded<AppointmentEvent>): string | null {
  return emittedType(event) && eventIdOf(stream.slice(APPOINTMENT.length), revision, event.at);
}

function frozen(before: Appointment, record: Recorded<AppointmentEvent>): FrozenEvent | null {
  const emitted = emission(before, record.event);
  const eventId = emittedId(record);
  if (!emitted || !eventId) return null;
  return {
    eventId,
    projectId: emitted.appointment.projectId,
    eventType: emitted.type,
    appointmentId: emitted.appointment.id,
    emittedAt: emitted.at,
    body: toEventBody({ eventId, position: record.position }, emitted),
    test: false,
  };
}
