import { type DynamicModule, Module } from '@nestjs/common';
import { SchemasModule } from '@application/projections/schemas.module';
import { SchemaReadiness } from '@application/read-models/schema-readiness';
import { Readiness } from '@platform/operations/readiness';
import { Engine } from '@ports/engine.port';
import { Settings } from '@ports/settings.port';
import { BuildMetrics } from './build-metrics.js';
import { HealthController } from './health.controller.js';
import { ReadinessMetrics } from './readiness-metrics.js';

interface OperatorRoutesOptions {
  /** Whether this process is ready only once the rows that it reads are complete, while another release can still serve. */
  readonly awaitsRows?: boolean;
}

/** `/health`, `/ready` and `/metrics`. */
@Module({})
export class OperatorRoutesModule {
  /** @param name the name of this process in `/ready` */
  static forRoot(name: string, { awaitsRows = false }: OperatorRoutesOptions = {}): DynamicModule {
    const readiness = {
      provide: Readiness,
      inject: [Engine, Settings, { token: SchemaReadiness, optional: true }],
      useFactory: (engine: Engine, settings: Settings, schemas?: SchemaReadiness) =>
        new Readiness(engine, name, settings, schemas && (() => schemas.missing())),
    };
    return {
      module: OperatorRoutesModule,
      imports: awaitsRows ? [SchemasModule] : [],
      providers: [readiness, ReadinessMetrics, BuildMetrics],
      controllers: [HealthController],
      exports: [Readiness],
    };
  }
}
