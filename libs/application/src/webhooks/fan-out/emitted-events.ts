import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { UNBOOKED, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emission, emittedType } from '@domain/appointment/emission';
import { evolveAppointment } from '@domain/appointment/evolve-appointment';
import { eventIdOf } from '@domain/event/event-id';
import type { FrozenEvent } from '@domain/delivery/delivery.events';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-category';
import { recordsOf } from '../../streams/stream-records.js';
import { toEventBody } from './event.resource.js';

interface State {
  readonly revision: number;
  readonly appointment: Appointment;
}

const APPOINTMENTS_CACHED = 4_000;

/** The events that changes of appointments emit, derived from the appointments' streams alone: always the same bytes. */
@Injectable()
export class EmittedEvents {
  /** By stream: the appointment after the latest change seen, which mostly is its state before the next. */
  private readonly latest = new LRUCache<string, State>({ max: APPOINTMENTS_CACHED });

  constructor(private readonly store: EventStore) {
    store.onReplaced(() => this.latest.clear());
  }

  /** What a change emitted; null when nothing. Needs no read where the changes of an appointment come in order. */
  async eventOf(change: Recorded<AppointmentEvent>): Promise<FrozenEvent | null> {
    const before = await this.stateBefore(change);
    this.latest.set(change.stream, { revision: change.revision, appointment: evolveAppointment(before, change.event) });
    return frozen(before, change);
  }

  /** What the change at this revision of an appointment's stream emitted; null when nothing. */
  async eventIn(stream: string, revision: number): Promise<FrozenEvent | null> {
    const [record] = await this.store.read<AppointmentEvent>(stream, { from: revision, limit: 1 });
    return record ? frozen(await this.stateBefore(record), record) : null;
  }

  /** Folds part by part: an appointment that was amended thousands of times is never in memory as a whole. */
  private async stateBefore({ stream, revision }: Recorded): Promise<Appointment> {
    const latest = this.latest.get(stream);
    const known = latest && latest.revision < revision ? latest : { revision: -1, appointment: UNBOOKED };
    let { appointment } = known;
    const from = known.revision + 1;
    if (from === revision) return appointment;
    for await (const record of recordsOf<AppointmentEvent>(this.store, stream, 'asc', from)) {
      if (record.revision === revision) break;
      appointment = evolveAppointment(appointment, record.event);
    }
    return appointment;
  }
}

/** The id of the event that a stored change emits; null when it emits none. */
export function emittedId({ stream, revision, event }: Recorded<AppointmentEvent>): string | null {
  return emittedType(event) && eventIdOf(idIn(stream), revision, event.at);
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
