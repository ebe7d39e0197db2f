import { Module } from '@nestjs/common';
import { ClaimsModule } from '../claims/claims.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { ListsModule } from '../read-models/lists.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { AppointmentDirectory } from './appointment-directory.js';
import { ChangeAppointmentHandler, GetAppointmentHandler } from './appointment.handlers.js';
import { BookAppointmentHandler } from './book-appointment.handler.js';
import { ListAppointmentChangesHandler } from './list-appointment-changes.handler.js';
import { NaturalKeys } from './natural-keys.js';

@Module({
  imports: [StreamsModule, ClaimsModule, CustomersModule, SessionsModule, ListsModule],
  providers: [
    AppointmentDirectory,
    NaturalKeys,
    BookAppointmentHandler,
    ChangeAppointmentHandler,
    GetAppointmentHandler,
    ListAppointmentChangesHandler,
  ],
  exports: [AppointmentDirectory, BookAppointmentHandler, ChangeAppointmentHandler],
})
export class AppointmentsModule {}
