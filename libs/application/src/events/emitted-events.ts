import { Injectable } from '@nestjs/common';
import { UNBOOKED, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emission, emittedType } from '@domain/appointment/emission';
import { evolveAppointment } from '@domain/appointment/evolution';
import { eventIdOf } from '@domain/event/event-id';
import type { FrozenEvent } from '@domain/delivery/delivery.events';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-name';
import { toEventBody } from './event.resource.js';

/** The events that changes of appointments emit, made from the ledger alone: always the same bytes. */
@Injectable()
export class EmittedEvents {
  /** What appointments were after the changes seen last: mostly what they were before the next. */
  private readonly seen = new LatestStates();

  constructor(private readonly store: EventStore) {}

  /** What a change of the ledger emitted; null when nothing. Quick for whoever follows the ledger in order. */
  async eventOf(change: Recorded<AppointmentEvent>): Promise<FrozenEvent | null> {
    const before = this.seen.before(change) ?? (await this.stateBefore(change));
    this.seen.put(change, evolveAppointment(before, change.event));
    return frozen(before, change);
  }

  /** What the change at this place of an appointment's stream emitted; null when nothing. */
  async eventIn(stream: string, revision: number): Promise<FrozenEvent | null> {
    const records = await this.store.read<AppointmentEvent>(stream, { limit: revision + 1 });
    const last = records[revision];
    return last ? frozen(after(records.slice(0, -1)), last) : null;
  }

  private async stateBefore({ stream, revision }: Recorded): Promise<Appointment> {
    return after(revision === 0 ? [] : await this.store.read<AppointmentEvent>(stream, { limit: revision }));
  }
}

interface State {
  readonly revision: number;
  readonly appointment: Appointment;
}

const MOST_STATES = 2_000;

/** In two generations: what was not touched for that many changes is forgotten. */
class LatestStates {
  private young = new Map<string, State>();
  private old = new Map<string, State>();

  /** Undefined unless the change before this one was the last that was seen. */
  before({ stream, revision }: Recorded): Appointment | undefined {
    const latest = this.young.get(stream) ?? this.old.get(stream);
    return latest?.revision === revision - 1 ? latest.appointment : undefined;
  }

  put({ stream, revision }: Recorded, appointment: Appointment): void {
    this.young.set(stream, { revision, appointment });
    if (this.young.size < MOST_STATES) return;
    this.old = this.young;
    this.young = new Map();
  }
}

function after(records: readonly Recorded<AppointmentEvent>[]): Appointment {
  return records.reduce<Appointment>((state, { event }) => evolveAppointment(state, event), UNBOOKED);
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
