import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AppointmentsModule } from '@application/appointments/appointments.module';
import { ConversationsModule } from '@application/conversations/conversations.module';
import { IdleSweeper } from '@application/conversations/idle.sweeper';
import { CustomersModule } from '@application/customers/customers.module';
import { WebhooksModule } from '@application/webhooks/webhooks.module';
import { DeliveryConsumerModule } from '@application/webhooks/attempts/delivery-consumer.module';
import { ExpiredEventsReactor } from '@application/webhooks/retention/expired-events.reactor';
import { FanOutReactor } from '@application/webhooks/fan-out/fan-out.reactor';
import { EndpointRemovalReactor } from '@application/webhooks/attempts/endpoint-removal.reactor';
import { OverdueSweeper } from '@application/webhooks/attempts/overdue.sweeper';
import { RetentionSweeper } from '@application/webhooks/retention/retention.sweeper';
import { EndpointsModule } from '@application/webhooks/endpoints/endpoints.module';
import { EventsModule } from '@application/webhooks/fan-out/events.module';
import { ListsModule } from '@application/read-models/lists.module';
import { ProjectionsModule } from '@application/projections/projections.module';
import { InstallationModule } from '@application/installation/installation.module';
import { ProjectsModule } from '@application/projects/projects.module';
import { SessionsModule } from '@application/sessions/sessions.module';
import { StaleSessionSweeper } from '@application/sessions/stale-session.sweeper';
import { TurnSweeper } from '@application/conversations/turns/turn.sweeper';
import { EmbeddedEngineModule } from '@engine-embedded/embedded-engine.module';
import type { Config } from '@platform/config/config';
import type { InstallationKey } from '@platform/config/installation-key';
import type { Logger } from '@platform/logging/logger';
import { AdaptersModule } from './adapters.module.js';
import { AdminHttpModule } from './admin/admin-http.module.js';
import { HttpModule } from './http/http.module.js';
import { DeliveryMetrics } from './operations/delivery-metrics.js';
import { OperationsModule } from './operations/operations.module.js';
import { RunnerMetrics } from './operations/runner-metrics.js';
import { AppointmentsController } from './v1/appointments.controller.js';
import { ConversationsController } from './v1/conversations.controller.js';
import { CustomersController } from './v1/customers.controller.js';
import { EventsController } from './v1/events.controller.js';
import { MessagesController } from './v1/messages.controller.js';
import { SessionsController } from './v1/sessions.controller.js';
import { WebhookEndpointsController } from './v1/webhook-endpoints.controller.js';

/** The composition root: the only place that knows which engine runs. */
@Module({
  providers: [RunnerMetrics, DeliveryMetrics],
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
  static forRoot(config: Config, logger: Logger, key: InstallationKey): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger, key),
        EmbeddedEngineModule.forRoot({ directory: config.dataDir }),
        HttpModule,
        AdminHttpModule,
        OperationsModule,
        ListsModule,
        ProjectsModule,
        InstallationModule,
        CustomersModule,
        ConversationsModule,
        SessionsModule,
        AppointmentsModule,
        EndpointsModule,
        EventsModule,
        WebhooksModule,
        DeliveryConsumerModule,
        ProjectionsModule.forRoot({
          imports: [ConversationsModule, SessionsModule, WebhooksModule],
          reactors: [FanOutReactor, EndpointRemovalReactor, ExpiredEventsReactor],
          sweepers: [IdleSweeper, TurnSweeper, StaleSessionSweeper, OverdueSweeper, RetentionSweeper],
        }),
      ],
    };
  }
}
