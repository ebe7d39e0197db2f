import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { InstallationModule } from '@application/installation/installation.module';
import { InstancesModule } from '@application/instances/instances.module';
import { AdaptersModule } from '@composition/adapters.module';
import { OperatorRoutesModule } from '@composition/operations/operator-routes.module';
import { ProjectionsHostModule } from '@composition/projections-host.module';
import type { AppContext } from '@composition/startup/run-app';
import type { InstallationKey } from '@platform/config/installation-key';
import { VERSION } from '@platform/config/version';

/** Read models, reactors and sweeps; of several such processes one works at a time. */
@Module({})
export class ProjectionsAppModule {
  static forRoot({ config, logger, engine, tracer }: AppContext, key: InstallationKey): DynamicModule {
    return {
      module: ProjectionsAppModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger, key, tracer),
        engine,
        InstancesModule.forRoot({ role: 'projections', version: VERSION }),
        InstallationModule,
        ProjectionsHostModule,
        OperatorRoutesModule.forRoot('projections'),
      ],
    };
  }
}
