import { Injectable } from '@nestjs/common';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import type { Appointment } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { resourceMissing } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { isId } from '@domain/kernel/ids';
import type { RequestContext } from '../runtime/request-context.js';
import { findEvent } from '../streams/stream-records.js';
import { StreamRunner } from '../streams/stream-runner.js';

@Injectable()
export class AppointmentDirectory {
  constructor(private readonly streams: StreamRunner) {}

  /** `resource_missing` for unknown and foreign ids alike. */
  async load(projectId: string, appointmentId: string): Promise<Appointment> {
    const appointment = isId('appointment', appointmentId) ? await this.peek(appointmentId) : null;
    if (!appointment || appointment.status === 'unbooked' || appointment.projectId !== projectId) {
      throw resourceMissing('appointment');
    }
    return appointment;
  }

  /** The fold of this id's stream, even if nothing is booked under it. */
  async peek(appointmentId: string): Promise<Appointment> {
    return (await this.streams.load(appointmentStream(appointmentId), appointmentDecider)).state;
  }

  async hasRun(appointmentId: string, { commandId, startedAt }: RequestContext): Promise<boolean> {
    const isIt = ({ cause }: AppointmentEvent) => cause.commandId === commandId;
    const history = this.streams.history<AppointmentEvent>(appointmentStream(appointmentId), startedAt);
    return (await findEvent(history, isIt)) !== null;
  }

  begin(appointmentId: string, command: AppointmentCommand, envelope: Envelope): Promise<Appointment> {
    return this.run(appointmentId, command, envelope, true);
  }

  /** Dates the command at its append: webhooks are sent in log order, so times must not go back in it. */
  async run(appointmentId: string, command: AppointmentCommand, envelope: Envelope, isNew = false): Promise<Appointment> {
    const { commandId } = command.cause;
    const timed = (at: number): AppointmentCommand => ({ ...command, at });
    const stream = appointmentStream(appointmentId);
    return (await this.streams.run(stream, appointmentDecider, timed, envelope, { commandId, isNew })).state;
  }
}

export function appointmentStream(appointmentId: string): string {
  return `appointment-${appointmentId}`;
}
