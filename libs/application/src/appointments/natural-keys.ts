import { Injectable } from '@nestjs/common';
import { isLive, naturalKey, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentCommandOf, BookAppointment } from '@domain/appointment/appointment.commands';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import { DomainError } from '@domain/kernel/domain-error';
import { Claims } from '../claims/claims.js';
import { AppointmentDirectory } from './appointment-directory.js';

/** What brings an appointment to another time, and with it to another key. */
export type Move = AppointmentCommandOf<'RescheduleAppointment'> | AppointmentCommandOf<'RebookAppointment'>;

/** A move of the appointment at one version: once it is at another, the move was made or never will be. */
type PromisedMove = Move & { readonly expectedVersion: number };

/** What a claim promises; null in claims of moves that were stored before those promised anything. */
type Promised = BookAppointment | PromisedMove | null;

/**
 * Which live appointments have a natural key: of several who book the same, one does. An appointment that moves to a key
 * which another has claims it as well, before it moves, and has it when the other leaves.
 */
@Injectable()
export class NaturalKeys {
  constructor(
    private readonly claims: Claims,
    private readonly appointments: AppointmentDirectory,
  ) {}

  /** The appointment that holds the booking's key: the booked one, or one that was there before. */
  async book(booking: BookAppointment): Promise<Appointment> {
    const { details } = booking;
    const holder = await this.claim(naturalKey(details), details.projectId, details.appointmentId, booking);
    return holder === details.appointmentId ? this.appointments.begin(holder, booking) : this.appointments.peek(holder);
  }

  /** Makes the move, given the appointment as it is now. Somebody else's key stays theirs; the move goes on all the same. */
  async move(appointment: Appointment, move: Move): Promise<Appointment> {
    const { id } = appointment;
    for (let present = appointment; ; present = await this.appointments.peek(id)) {
      if (appointmentDecider.decide(move, present).length === 0) return present;
      const promised = { ...move, expectedVersion: present.version };
      const key = naturalKey({ ...present, startsAt: move.startsAt });
      if (!hasKey(present, key)) await this.claim(key, present.projectId, id, promised);
      const moved = await this.keep(id, promised);
      if (moved) return moved;
    }
  }

  private async claim(key: string, projectId: string, holder: string, promised: BookAppointment | PromisedMove): Promise<string> {
    const moves = promised.type !== 'BookAppointment';
    const claimed = await this.claims.acquire<Promised>({
      kind: 'booking',
      projectId,
      value: key,
      holder,
      creation: promised,
      commandId: `${promised.cause.commandId}:booking`,
      renews: moves,
      queues: moves,
      seldomHeld: true,
      hasLeft: async (claimant, what) => !hasKey(await this.settled(claimant, what), key),
    });
    return claimed.holder;
  }

  /**
   * The appointment of a claim, with what it promised done by whoever comes first. It happens then: who promised it may be
   * long dead, and what happens in the past is told to nobody.
   */
  private async settled(id: string, promised: Promised): Promise<Appointment> {
    const found = await this.appointments.peek(id);
    if (promised === null || found.version !== versionBefore(promised)) return found;
    return (await this.keep(id, promised)) ?? this.appointments.peek(id);
  }

  /** Null when the appointment is past the version of the promise. */
  private async keep(id: string, promised: BookAppointment | PromisedMove): Promise<Appointment | null> {
    try {
      return await this.appointments.run(id, promised);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'version_conflict') return null;
      throw error;
    }
  }
}

function versionBefore(promised: BookAppointment | PromisedMove): number {
  return promised.type === 'BookAppointment' ? 0 : promised.expectedVersion;
}

function hasKey(appointment: Appointment, key: string): boolean {
  return isLive(appointment) && naturalKey(appointment) === key;
}
