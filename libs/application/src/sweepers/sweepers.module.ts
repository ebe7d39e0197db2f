import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Shutdown } from '../runtime/shutdown.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { SweepersHost } from './sweepers-host.js';

export interface SweepersOptions {
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly sweepers: readonly Type<Sweeper>[];
}

@Module({})
export class SweepersModule {
  static forRoot({ imports, sweepers }: SweepersOptions): DynamicModule {
    const host = {
      provide: SweepersHost,
      inject: [Clock, Ids, Shutdown, ...sweepers],
      useFactory: (clock: Clock, ids: Ids, shutdown: Shutdown, ...made: Sweeper[]) =>
        new SweepersHost(made, clock, ids, shutdown),
    };
    return { module: SweepersModule, imports, providers: [host] };
  }
}
