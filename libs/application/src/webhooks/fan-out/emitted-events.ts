import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { UNBOOKED, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedIdOf } from '@domain/appointment/past-change';
import { emission } from '@domain/appointment/emission';
import { evolveAppointment } from '@domain/appointment/evolve-appointment';
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

/** The events that appointments emit, derived from their streams alone: always the same bytes. */
@Injectable()
export class EmittedEvents {
  /** By stream: the appointment after the latest change, usually its state before the next. */
  private readonly latest = new LRUCache<string, State>({ max: APPOINTMENTS_CACHED });

  constructor(private readonly store: EventStore) {
    store.onReplaced(() => this.latest.clear());
  }

  /** Null when the change emits nothing. Reads nothing where an appointment's changes come in order. */
  async eventOf(change: Recorded<AppointmentEvent>): Promise<FrozenEvent | null> {
    const before = await this.stateBefore(change);
    this.latest.set(change.stream, { revision: change.revision, appointment: evolveAppointment(before, change.event) });
    return frozen(before, change);
  }

  async eventIn(stream: string, revision: number): Promise<FrozenEvent | null> {
    const [record] = await this.store.read<AppointmentEvent>(stream, { from: revision, limit: 1 });
    return record ? frozen(await this.stateBefore(record), record) : null;
  }

  /** Folds page by page: an appointment with thousands of changes is never whole in memory. */
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

export function emittedId({ stream, revision, event }: Recorded<AppointmentEvent>): string | null {
  return emittedIdOf(idIn(stream), revision, event);
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
