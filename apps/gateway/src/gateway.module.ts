import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AppointmentsModule } from '@application/appointments/appointments.module';
import { ConversationsModule } from '@application/conversations/conversations.module';
import { TurnSweeper } from '@application/conversations/turns/turn.sweeper';
import { CustomersModule } from '@application/customers/customers.module';
import { WebhooksModule } from '@application/webhooks/webhooks.module';
import { EndpointsModule } from '@application/webhooks/endpoints/endpoints.module';
import { EventsModule } from '@application/webhooks/fan-out/events.module';
import { ListsModule } from '@application/read-models/lists.module';
import { AdaptersModule } from '@composition/adapters.module';
import { DeliveryModule } from '@composition/delivery.module';
import type { AppContext } from '@composition/startup/run-app';
import { ProjectionsHostModule } from '@composition/projections-host.module';
import { InstancesModule } from '@application/instances/instances.module';
import { InstallationModule } from '@application/installation/installation.module';
import { SchemasModule } from '@application/projections/schemas.module';
import { ProjectsModule } from '@application/projects/projects.module';
import { SessionsModule } from '@application/sessions/sessions.module';
import { SweepersModule } from '@application/sweepers/sweepers.module';
import type { InstallationKey } from '@platform/config/installation-key';
import { AdminHttpModule } from './admin/admin-http.module.js';
import { HttpModule } from './http/http.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { AppointmentsController } from './v1/appointments.controller.js';
import { ConversationsController } from './v1/conversations.controller.js';
import { CustomersController } from './v1/customers.controller.js';
import { EventsController } from './v1/events.controller.js';
import { MessagesController } from './v1/messages.controller.js';
import { SessionsController } from './v1/sessions.controller.js';
import { WebhookEndpointsController } from './v1/webhook-endpoints.controller.js';

/** A turn that a living gateway left open while the store was out of reach is taken up by that gateway alone. */
const OWN_SWEEPS = SweepersModule.forRoot({ imports: [ConversationsModule], sweepers: [TurnSweeper] });

/** The HTTP API, and in the same process, unless it is to be alone, the projections and the delivery of webhooks. */
@Module({
  controllers: [
    ConversationsController,
    MessagesController,
    CustomersController,
    SessionsController,
    AppointmentsController,
    WebhookEndpointsController,
    EventsController,
  ],
})
export class GatewayModule {
  /** @param isAlone whether the projections and the delivery of webhooks are left to other processes */
  static forRoot({ config, logger, engine }: Omit<AppContext, 'print'>, key: InstallationKey, isAlone = false): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger, key),
        engine,
        InstancesModule.forRoot('gateway'),
        HttpModule,
        AdminHttpModule,
        OperationsModule,
        ListsModule,
        SchemasModule,
        ProjectsModule,
        InstallationModule,
        CustomersModule,
        ConversationsModule,
        SessionsModule,
        AppointmentsModule,
        EndpointsModule,
        EventsModule,
        WebhooksModule,
        ...(isAlone ? [OWN_SWEEPS] : [DeliveryModule, ProjectionsHostModule]),
      ],
    };
  }
}
