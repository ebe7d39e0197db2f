import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AdminModule } from '@application/admin/admin.module';
import { AdaptersModule } from '@composition/adapters.module';
import type { AppContext } from '@composition/startup/run-app';
import type { InstallationKey } from '@platform/config/installation-key';

@Module({})
export class AdminAppModule {
  static forRoot({ config, logger, engine }: Omit<AppContext, 'print' | 'tracer'>, key: InstallationKey): DynamicModule {
    return {
      module: AdminAppModule,
      imports: [CqrsModule.forRoot(), AdaptersModule.forRoot(config, logger, key), engine, AdminModule],
    };
  }
}
