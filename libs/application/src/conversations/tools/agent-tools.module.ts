import { Module } from '@nestjs/common';
import { AppointmentsModule } from '../../appointments/appointments.module.js';
import { ListsModule } from '../../read-models/lists.module.js';
import { RememberedAppointments } from '../memory/remembered-appointments.js';
import { AppointmentToolboxes } from './appointment-toolboxes.js';
import { KnownAppointments } from './known-appointments.js';
import { Toolboxes } from './toolboxes.js';

@Module({
  imports: [AppointmentsModule, ListsModule],
  providers: [
    KnownAppointments,
    { provide: RememberedAppointments, useExisting: KnownAppointments },
    { provide: Toolboxes, useClass: AppointmentToolboxes },
  ],
  exports: [Toolboxes, RememberedAppointments],
})
export class AgentToolsModule {}
