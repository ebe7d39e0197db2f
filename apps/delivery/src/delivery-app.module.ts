import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { InstallationModule } from '@application/installation/installation.module';
import { InstancesModule } from '@application/instances/instances.module';
import { AdaptersModule } from '@composition/adapters.module';
import { OperatorRoutesModule } from '@composition/operations/operator-routes.module';
import { DeliveryModule } from '@composition/delivery.module';
import type { AppContext } from '@composition/startup/run-app';
import type { InstallationKey } from '@platform/config/installation-key';

/** The process that sends webhooks: one of any number in one consumer group. */
@Module({})
export class DeliveryAppModule {
  static forRoot({ config, logger, engine }: AppContext, key: InstallationKey): DynamicModule {
    return {
      module: DeliveryAppModule,
      imports: [
        CqrsModule.forRoot(),
        AdaptersModule.forRoot(config, logger, key),
        engine,
        InstancesModule.forRoot('delivery'),
        InstallationModule,
        DeliveryModule,
        OperatorRoutesModule.forRoot('delivery'),
      ],
    };
  }
}
