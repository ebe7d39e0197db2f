import type { Decider } from '../kernel/decider.js';
import { differing, hasAny } from '../kernel/differing.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import type { AppointmentCommand, AppointmentCommandOf } from './appointment.commands.js';
import type { AppointmentEvent } from './appointment.events.js';
import { UNBOOKED, allowedTransitions, isLive, type Appointment } from './appointment.js';
import type { Actor } from './cause.js';
import { evolveAppointment } from './evolve-appointment.js';
import { refuseBadTimes } from './times.js';

/** The state machine of appointments. Every event is one accepted change: one version. */
export const appointmentDecider: Decider<Appointment, AppointmentCommand, AppointmentEvent> = {
  initial: UNBOOKED,
  decide(command, appointment) {
    if (appointment.commandIds.includes(command.cause.commandId)) return [];
    const at = Math.max(command.at, appointment.updatedAt);
    switch (command.type) {
      case 'BookAppointment':
        return book(command, appointment, at);
      case 'RecordFailedBooking':
        return recordFailedBooking(command, appointment, at);
      case 'ConfirmAppointment':
        return confirm(command, expected(command, appointment), at);
      case 'RescheduleAppointment':
        return reschedule(command, expected(command, appointment), at);
      case 'CancelAppointment':
        return cancel(command, expected(command, appointment), at);
      case 'FailAppointment':
        return fail(command, expected(command, appointment), at);
      case 'RebookAppointment':
        return rebook(command, expected(command, appointment), at);
      case 'AmendAppointment':
        return amend(command, expected(command, appointment), at);
    }
  },
  evolve: evolveAppointment,
};

function book(command: AppointmentCommandOf<'BookAppointment'>, appointment: Appointment, at: number): AppointmentEvent[] {
  if (appointment.status !== 'unbooked') return [];
  const { details, cause, confirmed } = command;
  refuseBadTimes(details);
  const booked: AppointmentEvent = { type: 'AppointmentBooked', at, cause, ...details };
  return confirmed ? [booked, { type: 'AppointmentConfirmed', at, cause, projectId: details.projectId }] : [booked];
}

function recordFailedBooking(
  command: AppointmentCommandOf<'RecordFailedBooking'>,
  appointment: Appointment,
  at: number,
): AppointmentEvent[] {
  if (appointment.status !== 'unbooked') return [];
  const { details, cause, code, message } = command;
  refuseBadTimes(details);
  return [{ type: 'AppointmentBookingFailed', at, cause, code, message, ...details }];
}

function confirm(
  { cause }: AppointmentCommandOf<'ConfirmAppointment'>,
  appointment: Appointment,
  at: number,
): AppointmentEvent[] {
  if (appointment.status === 'confirmed') return [];
  refuseUnlessLive(appointment, 'confirm');
  return [{ type: 'AppointmentConfirmed', at, cause, projectId: appointment.projectId }];
}

function reschedule(
  command: AppointmentCommandOf<'RescheduleAppointment'>,
  appointment: Appointment,
  at: number,
): AppointmentEvent[] {
  refuseUnlessLive(appointment, 'reschedule');
  const moved = move(command, appointment, at);
  const unconfirmed = moved.length > 0 || appointment.status !== 'confirmed';
  if (!command.confirm || !unconfirmed) return moved;
  return [...moved, { type: 'AppointmentConfirmed', at, cause: command.cause, projectId: appointment.projectId }];
}

function move(command: AppointmentCommandOf<'RescheduleAppointment'>, appointment: Appointment, at: number): AppointmentEvent[] {
  const { projectId } = appointment;
  const time = newTime(command, appointment);
  if (time.startsAt === appointment.startsAt && time.endsAt === appointment.endsAt) return [];
  if (command.mode === 'in_place') return [{ type: 'AppointmentRescheduled', at, cause: command.cause, projectId, ...time }];
  const { reason, actor } = command.cause;
  const cause = { ...command.cause, reason: 'rescheduling' };
  const cancelledBy = actor.type === 'agent' ? 'agent' : 'business';
  return [
    { type: 'AppointmentCancelled', at, cause, projectId, reason, cancelledBy },
    { type: 'AppointmentRecreated', at, cause, projectId, ...time },
  ];
}

function cancel(command: AppointmentCommandOf<'CancelAppointment'>, appointment: Appointment, at: number): AppointmentEvent[] {
  if (appointment.status === 'cancelled') return [];
  refuseUnlessLive(appointment, 'cancel');
  const { cause, reason } = command;
  const cancelledBy = command.cancelledBy ?? (isOnCall(cause.actor) ? 'customer' : 'business');
  return [{ type: 'AppointmentCancelled', at, cause, projectId: appointment.projectId, reason, cancelledBy }];
}

function isOnCall({ type, sessionId }: Actor): boolean {
  return type === 'agent' && sessionId !== null;
}

function fail(command: AppointmentCommandOf<'FailAppointment'>, appointment: Appointment, at: number): AppointmentEvent[] {
  if (appointment.status === 'failed') return [];
  refuseUnlessLive(appointment, 'fail');
  const { cause, code, message } = command;
  return [{ type: 'AppointmentFailed', at, cause, projectId: appointment.projectId, code, message }];
}

function rebook(command: AppointmentCommandOf<'RebookAppointment'>, appointment: Appointment, at: number): AppointmentEvent[] {
  if (isLive(appointment)) throw invalidTransition(appointment, 'rebook');
  const { cause } = command;
  return [{ type: 'AppointmentRebooked', at, cause, projectId: appointment.projectId, ...newTime(command, appointment) }];
}

function amend(command: AppointmentCommandOf<'AmendAppointment'>, appointment: Appointment, at: number): AppointmentEvent[] {
  const changes = differing(appointment, command.changes);
  if (!hasAny(changes)) return [];
  return [{ type: 'AppointmentAmended', at, cause: command.cause, projectId: appointment.projectId, changes }];
}

function newTime(
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number | null },
  appointment: Appointment,
): { readonly startsAt: number; readonly endsAt: number } {
  const time = { startsAt, endsAt: endsAt ?? startsAt + (appointment.endsAt - appointment.startsAt) };
  refuseBadTimes(time);
  return time;
}

function expected({ expectedVersion }: { readonly expectedVersion: number | null }, appointment: Appointment): Appointment {
  if (appointment.status === 'unbooked') throw resourceMissing('appointment');
  if (expectedVersion === null || expectedVersion === appointment.version) return appointment;
  throw new DomainError('version_conflict', `The appointment is at version ${appointment.version}.`, {
    extras: { current_version: appointment.version },
  });
}

function refuseUnlessLive(appointment: Appointment, command: string): void {
  if (!isLive(appointment)) throw invalidTransition(appointment, command);
}

function invalidTransition({ status }: Appointment, command: string): DomainError {
  return new DomainError('appointment_invalid_transition', `Cannot ${command} an appointment that is ${status}.`, {
    extras: { current_status: status, allowed_transitions: allowedTransitions(status) },
  });
}
