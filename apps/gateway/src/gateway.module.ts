import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ConversationsModule } from '@application/conversations/conversations.module';
import { IdleSweeper } from '@application/conversations/idle.sweeper';
import { CustomersModule } from '@application/customers/customers.module';
import { ListsModule } from '@application/projections/lists.module';
import { ProjectionsModule } from '@application/projections/projections.module';
import { ProjectsModule } from '@application/projects/projects.module';
import { TurnSweeper } from '@application/turns/turn.sweeper';
import { EmbeddedEngineModule } from '@engine-embedded/embedded-engine.module';
import type { Config } from '@platform/config/config';
import type { Logger } from '@platform/logging/logger';
import { AdaptersModule } from './adapters.module.js';
import { AdminHttpModule } from './admin/admin-http.module.js';
import { HttpModule } from './http/http.module.js';
import { NoLedgerModule } from './no-ledger.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { ConversationsController } from './v1/conversations.controller.js';
import { CustomersController } from './v1/customers.controller.js';
import { MessagesController } from './v1/messages.controller.js';

/** The composition root: the only place that knows which engine runs. */
@Module({})
export class GatewayModule {
  static forRoot(config: Config, logger: Logger): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger),
        EmbeddedEngineModule.forRoot({ directory: config.dataDir }),
        HttpModule,
        AdminHttpModule,
        NoLedgerModule,
        OperationsModule,
        ListsModule,
        ProjectsModule,
        CustomersModule,
        ConversationsModule,
        ProjectionsModule.forRoot({ imports: [ConversationsModule], reactors: [], sweepers: [IdleSweeper, TurnSweeper] }),
      ],
      controllers: [ConversationsController, MessagesController, CustomersController],
    };
  }
}
