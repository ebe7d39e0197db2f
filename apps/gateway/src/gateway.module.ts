import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AppointmentsModule } from '@application/appointments/appointments.module';
import { ConversationsModule } from '@application/conversations/conversations.module';
import { TurnSweeper } from '@application/conversations/turns/turn.sweeper';
import { CustomersModule } from '@application/customers/customers.module';
import { WebhooksModule } from '@application/webhooks/webhooks.module';
import { EndpointsModule } from '@application/webhooks/endpoints/endpoints.module';
import { EventsModule } from '@application/webhooks/fan-out/events.module';
import { IssuesModule } from '@application/issues/issues.module';
import { ListsModule } from '@application/read-models/lists.module';
import { AdaptersModule } from '@composition/adapters.module';
import { DeliveryModule } from '@composition/delivery.module';
import type { AppContext } from '@composition/startup/run-app';
import { ProjectionsHostModule } from '@composition/projections-host.module';
import { InstancesModule } from '@application/instances/instances.module';
import { InstallationModule } from '@application/installation/installation.module';
import { SchemasModule } from '@application/projections/schemas.module';
import { ProjectionStandingModule } from '@application/projections/standing/projection-standing.module';
import { ProjectsModule } from '@application/projects/projects.module';
import { SessionsModule } from '@application/sessions/sessions.module';
import { TasksModule } from '@application/tasks/tasks.module';
import { SweepersModule } from '@application/sweepers/sweepers.module';
import type { InstallationKey } from '@platform/config/installation-key';
import { VERSION } from '@platform/config/version';
import { AdminHttpModule } from './admin/admin-http.module.js';
import { HttpModule } from './http/http.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { ClientHttpModule } from './v1/client-http.module.js';

/** Turns that a running gateway left open while the store was unreachable are repeated only by that gateway. */
const OWN_SWEEPS = SweepersModule.forRoot({ imports: [ConversationsModule], sweepers: [TurnSweeper] });

/** Without a tracer nothing is traced. */
type GatewayContext = Omit<AppContext, 'print' | 'tracer'> & Partial<Pick<AppContext, 'tracer'>>;

/** The HTTP API and, unless `isAlone`, projections and webhook delivery in the same process. */
@Module({})
export class GatewayModule {
  static forRoot({ config, logger, engine, tracer }: GatewayContext, key: InstallationKey, isAlone = false): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger, key, tracer),
        engine,
        InstancesModule.forRoot({ role: 'gateway', version: VERSION }),
        HttpModule,
        ClientHttpModule,
        AdminHttpModule,
        OperationsModule,
        ListsModule,
        SchemasModule,
        ProjectionStandingModule,
        ProjectsModule,
        InstallationModule,
        CustomersModule,
        ConversationsModule,
        SessionsModule,
        AppointmentsModule,
        EndpointsModule,
        EventsModule,
        WebhooksModule,
        IssuesModule,
        TasksModule,
        ...(isAlone ? [OWN_SWEEPS] : [DeliveryModule, ProjectionsHostModule]),
      ],
    };
  }
}
