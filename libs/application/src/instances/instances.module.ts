import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { ExpiringRecords } from '@ports/expiring-records.port';
import { Ids } from '@ports/ids.port';
import { InstanceRegistry } from './instance-registry.js';
import type { RunningProgram } from './living-instances.js';

@Module({})
export class InstancesModule {
  static forRoot(program: RunningProgram): DynamicModule {
    const registry = {
      provide: InstanceRegistry,
      inject: [ExpiringRecords, Engine, Clock, Ids],
      useFactory: (records: ExpiringRecords, engine: Engine, clock: Clock, ids: Ids) =>
        new InstanceRegistry(records, engine, clock, ids, program),
    };
    return { module: InstancesModule, global: true, providers: [registry], exports: [InstanceRegistry] };
  }
}
