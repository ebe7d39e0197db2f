import { Injectable } from '@nestjs/common';
import {
  anonymousKeys,
  appointmentDuplicate,
  claimedBefore,
  isLive,
  naturalKey,
  type Appointment,
  type KeyParts,
} from '@domain/appointment/appointment';
import type { AppointmentCommandOf, BookAppointment } from '@domain/appointment/appointment.commands';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import { DomainError } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { Claims, type ClaimEnvelope } from '../claims/claims.js';
import { AppointmentDirectory } from './appointment-directory.js';

export type Move = AppointmentCommandOf<'RescheduleAppointment'> | AppointmentCommandOf<'RebookAppointment'>;

/** A move at one version of the appointment: at any later version it has been made or never will be. */
type PromisedMove = Move & { readonly expectedVersion: number };

/** The command that a claim carries; null in claims of moves by earlier versions. */
type Promised = BookAppointment | PromisedMove | null;

/** Of several concurrent bookings and moves to one natural key, one succeeds. */
@Injectable()
export class NaturalKeys {
  constructor(
    private readonly claims: Claims,
    private readonly appointments: AppointmentDirectory,
  ) {}

  /** Books unless a live appointment holds the key. Returns the appointment that holds it. */
  async book(booking: BookAppointment, envelope: Envelope): Promise<Appointment> {
    const { details } = booking;
    const { appointmentId, projectId } = details;
    const before = await this.heldOtherwise(details, projectId, appointmentId);
    const holder = before ?? (await this.claim(naturalKey(details), projectId, appointmentId, booking, envelope));
    return holder === appointmentId ? this.appointments.begin(holder, booking, envelope) : this.appointments.peek(holder);
  }

  /** Moves the appointment from this state. Rejects with `appointment_duplicate` where another live one holds the new key. */
  async move(appointment: Appointment, move: Move, envelope: Envelope): Promise<Appointment> {
    const { id } = appointment;
    for (let present = appointment; ; present = await this.appointments.peek(id)) {
      if (appointmentDecider.decide(move, present).length === 0) return present;
      const promised = { ...move, expectedVersion: present.version };
      const moving = { ...present, startsAt: move.startsAt };
      const key = naturalKey(moving);
      if (!hasKey(present, key)) {
        const { projectId } = present;
        const holder =
          (await this.heldOtherwise(moving, projectId, id)) ?? (await this.claim(key, projectId, id, promised, envelope));
        if (holder !== id) throw appointmentDuplicate(holder);
      }
      const moved = await this.keep(id, promised, envelope);
      if (moved) return moved;
    }
  }

  /**
   * The same booking under another key. No new claims of such keys are made, so there is no race with the natural key's claim, except
   * for a call or conversation without a customer.
   */
  private async heldOtherwise(parts: KeyParts, projectId: string, holder: string): Promise<string | null> {
    const anonymous = anonymousKeys(parts);
    const same = [naturalKey(parts), ...anonymous];
    const hasLeft = async (claimant: string, what: Promised, _at: number, claim: ClaimEnvelope) => {
      const present = await this.settled(claimant, what, claim);
      return !same.some((key) => hasKey(present, key));
    };
    for (const value of [...anonymous, ...claimedBefore(parts)]) {
      const found = await this.claims.present<Promised>({ kind: 'booking', projectId, value, holder, hasLeft });
      if (found !== null) return found;
    }
    return null;
  }

  private async claim(
    key: string,
    projectId: string,
    holder: string,
    promised: BookAppointment | PromisedMove,
    envelope: Envelope,
  ): Promise<string> {
    const claimed = await this.claims.acquire<Promised>({
      kind: 'booking',
      projectId,
      value: key,
      holder,
      creation: promised,
      origin: { commandId: `${promised.cause.commandId}:booking`, envelope },
      renews: promised.type !== 'BookAppointment',
      seldomHeld: true,
      hasLeft: async (claimant, what, _, claim) => !hasKey(await this.settled(claimant, what, claim), key),
    });
    return claimed.holder;
  }

  /** Finishes the claim's command first: the claim's process may have died before. Dates the event at the append. */
  private async settled(id: string, promised: Promised, claim: ClaimEnvelope): Promise<Appointment> {
    const found = await this.appointments.peek(id);
    if (promised === null || found.version !== versionBefore(promised)) return found;
    const envelope = { ...(await claim()), $correlationId: promised.cause.correlationId };
    return (await this.keep(id, promised, envelope)) ?? this.appointments.peek(id);
  }

  /** Executes the claim's command; null when the appointment is past its version. */
  private async keep(id: string, promised: BookAppointment | PromisedMove, envelope: Envelope): Promise<Appointment | null> {
    try {
      return await this.appointments.run(id, promised, envelope);
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
