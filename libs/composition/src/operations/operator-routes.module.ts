import { type DynamicModule, Module } from '@nestjs/common';
import { Readiness } from '@platform/operations/readiness';
import { Engine } from '@ports/engine.port';
import { HealthController } from './health.controller.js';

/** `/health`, `/ready` and `/metrics` of a process. */
@Module({})
export class OperatorRoutesModule {
  /** @param name what `/ready` calls the process itself */
  static forRoot(name: string): DynamicModule {
    const readiness = { provide: Readiness, inject: [Engine], useFactory: (engine: Engine) => new Readiness(engine, name) };
    return { module: OperatorRoutesModule, providers: [readiness], controllers: [HealthController], exports: [Readiness] };
  }
}
