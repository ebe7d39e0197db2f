import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { InstallationModule } from '@application/installation/installation.module';
import { InstancesModule } from '@application/instances/instances.module';
import { AdaptersModule } from '@composition/adapters.module';
import { OperatorRoutesModule } from '@composition/operations/operator-routes.module';
import { DeliveryModule } from '@composition/delivery.module';
import type { AppContext } from '@composition/startup/run-app';
import type { InstallationKey } from '@platform/config/installation-key';
import { VERSION } from '@platform/config/version';

/** Sends webhooks; any number of these processes share a consumer group. */
@Module({})
export class DeliveryAppModule {
  static forRoot({ config, logger, engine, tracer }: AppContext, key: InstallationKey): DynamicModule {
    return {
      module: DeliveryAppModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger, key, tracer),
        engine,
        InstancesModule.forRoot({ role: 'delivery', version: VERSION }),
        InstallationModule,
        DeliveryModule,
        OperatorRoutesModule.forRoot('delivery'),
      ],
    };
  }
}
