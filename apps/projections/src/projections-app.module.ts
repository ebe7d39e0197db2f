import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { InstallationModule } from '@application/installation/installation.module';
import { InstancesModule } from '@application/instances/instances.module';
import { AdaptersModule } from '@composition/adapters.module';
import { OperatorRoutesModule } from '@composition/operations/operator-routes.module';
import { ProjectionsHostModule } from '@composition/projections-host.module';
import type { AppContext } from '@composition/startup/run-app';
import type { InstallationKey } from '@platform/config/installation-key';

/** The process that builds read models, reacts to events and sweeps; of several, one at a time. */
@Module({})
export class ProjectionsAppModule {
  static forRoot({ config, logger, engine }: AppContext, key: InstallationKey): DynamicModule {
    return {
      module: ProjectionsAppModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger, key),
        engine,
        InstancesModule.forRoot('projections'),
        InstallationModule,
        ProjectionsHostModule,
        OperatorRoutesModule.forRoot('projections'),
      ],
    };
  }
}
