import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { ExpiringRecords } from '@ports/expiring-records.port';
import { Ids } from '@ports/ids.port';
import { InstanceRegistry } from './instance-registry.js';
import type { InstanceRole } from './living-instances.js';

/** This process among those on the same engine. */
@Module({})
export class InstancesModule {
  static forRoot(role: InstanceRole): DynamicModule {
    const registry = {
      provide: InstanceRegistry,
      inject: [ExpiringRecords, Engine, Clock, Ids],
      useFactory: (records: ExpiringRecords, engine: Engine, clock: Clock, ids: Ids) =>
        new InstanceRegistry(records, engine, clock, ids, role),
    };
    return { module: InstancesModule, global: true, providers: [registry], exports: [InstanceRegistry] };
  }
}
