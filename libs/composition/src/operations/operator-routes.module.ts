import { type DynamicModule, Module } from '@nestjs/common';
import { Readiness } from '@platform/operations/readiness';
import { Engine } from '@ports/engine.port';
import { Settings } from '@ports/settings.port';
import { BuildMetrics } from './build-metrics.js';
import { HealthController } from './health.controller.js';
import { ReadinessMetrics } from './readiness-metrics.js';

/** `/health`, `/ready` and `/metrics` of a process. */
@Module({})
export class OperatorRoutesModule {
  /** @param name what `/ready` calls the process itself */
  static forRoot(name: string): DynamicModule {
    const readiness = {
      provide: Readiness,
      inject: [Engine, Settings],
      useFactory: (engine: Engine, settings: Settings) => new Readiness(engine, name, settings),
    };
    return {
      module: OperatorRoutesModule,
      providers: [readiness, ReadinessMetrics, BuildMetrics],
      controllers: [HealthController],
      exports: [Readiness],
    };
  }
}
