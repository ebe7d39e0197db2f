import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AdminModule } from '@application/admin/admin.module';
import { AdaptersModule } from '@composition/adapters.module';
import type { AppContext } from '@composition/startup/run-app';
import type { InstallationKey } from '@platform/config/installation-key';

/** The modules of a command that opens the store, does one thing and ends, without an HTTP server. */
@Module({})
export class AdminAppModule {
  static forRoot({ config, logger, engine }: Omit<AppContext, 'print'>, key: InstallationKey): DynamicModule {
    return {
      module: AdminAppModule,
      imports: [CqrsModule.forRoot(), AdaptersModule.forRoot(config, logger, key), engine, AdminModule],
    };
  }
}
