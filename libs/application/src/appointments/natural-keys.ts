import { Injectable } from '@nestjs/common';
import { isLive, naturalKey, type Appointment } from '@domain/appointment/appointment';
import type { BookAppointment } from '@domain/appointment/appointment.commands';
import { Clock, pause } from '@ports/clock.port';
import { Claims } from '../claims/claims.js';
import { AppointmentDirectory } from './appointment-directory.js';

/** The booking a claim promises; null when an appointment that is there moves to the key. */
type Promised = BookAppointment | null;

/** How long an appointment that claimed a key may take to show it. */
const MOVE_IN_FLIGHT_MS = 2_000;
const LOOK_AGAIN_MS = 20;

/** Which live appointment has a natural key: of several who book the same, one does. */
@Injectable()
export class NaturalKeys {
  constructor(
    private readonly claims: Claims,
    private readonly appointments: AppointmentDirectory,
    private readonly clock: Clock,
  ) {}

  /** The appointment that holds the booking's key: the booked one, or one that was there before. */
  async book(booking: BookAppointment): Promise<Appointment> {
    const { details, cause } = booking;
    const { projectId, appointmentId } = details;
    const holder = await this.claim(naturalKey(details), projectId, appointmentId, booking, cause.commandId);
    return holder === appointmentId ? this.appointments.begin(holder, booking) : this.appointments.peek(holder);
  }

  /** Takes the key that an appointment is about to move to. Somebody else's key stays theirs; the move goes on all the same. */
  async move(appointment: Appointment, startsAt: number, commandId: string): Promise<void> {
    await this.claim(naturalKey({ ...appointment, startsAt }), appointment.projectId, appointment.id, null, commandId);
  }

  private async claim(key: string, projectId: string, holder: string, creation: Promised, commandId: string): Promise<string> {
    const claimed = await this.claims.acquire<Promised>({
      kind: 'booking',
      projectId,
      value: key,
      holder,
      creation,
      commandId: `${commandId}:booking`,
      seldomHeld: true,
      hasLeft: (present, promised, at) => this.hasLeft(key, present, promised, at),
    });
    return claimed.holder;
  }

  private async hasLeft(key: string, holder: string, promised: Promised, claimedAt: number): Promise<boolean> {
    for (;;) {
      const found = await this.appointments.peek(holder);
      const appointment = found.status === 'unbooked' && promised ? await this.appointments.run(holder, promised) : found;
      if (isLive(appointment) && naturalKey(appointment) === key) return false;
      if (promised !== null || this.clock.now() - claimedAt >= MOVE_IN_FLIGHT_MS) return true;
      await pause(this.clock, LOOK_AGAIN_MS);
    }
  }
}
