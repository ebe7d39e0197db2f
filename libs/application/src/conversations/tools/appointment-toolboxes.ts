import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { AppointmentDirectory } from '../../appointments/appointment-directory.js';
import { ChangeAppointmentHandler } from '../../appointments/appointment.handlers.js';
import { BookAppointmentHandler } from '../../appointments/book-appointment.handler.js';
import { AppointmentToolbox } from './appointment-toolbox.js';
import { KnownAppointments } from './known-appointments.js';
import { Toolboxes, type ToolContext, type TurnToolbox } from './toolboxes.js';

/** Gives every turn the ledger's tools: the very commands that clients use. */
@Injectable()
export class AppointmentToolboxes extends Toolboxes {
  constructor(
    private readonly appointments: AppointmentDirectory,
    private readonly known: KnownAppointments,
    private readonly booking: BookAppointmentHandler,
    private readonly changing: ChangeAppointmentHandler,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {
    super();
  }

  override open(context: ToolContext): TurnToolbox {
    const { appointments, known, booking, changing, ids, clock } = this;
    return new AppointmentToolbox(context, { appointments, known, booking, changing, ids, clock });
  }
}
