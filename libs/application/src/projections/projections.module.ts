import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { ListsModule } from '../read-models/lists.module.js';
import type { Reactor } from '../runtime/reactor.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { EffectRunners } from './effect-runners.js';
import { HostLease } from './host-lease.js';
import { HostRegistry } from './host-registry.js';
import { ProjectionRunners } from './projection-runners.js';
import { ProjectionsHost } from './projections-host.js';
import { PROJECTIONS } from './projections.js';
import { SchemasModule } from './schemas.module.js';

export interface ProjectionsOptions {
  /** Modules that export the reactors and sweepers. */
  readonly imports?: ModuleMetadata['imports'];
  readonly reactors: readonly Type<Reactor>[];
  readonly sweepers: readonly Type<Sweeper>[];
}

/** The projections host. Ports and `Shutdown` come from global modules. */
@Module({})
export class ProjectionsModule {
  static forRoot({ imports = [], reactors, sweepers }: ProjectionsOptions): DynamicModule {
    const hosted = {
      provide: HostRegistry,
      inject: [...reactors, ...sweepers],
      useFactory: (...made: (Reactor | Sweeper)[]): HostRegistry => ({
        projections: PROJECTIONS,
        reactors: made.slice(0, reactors.length) as Reactor[],
        sweepers: made.slice(reactors.length) as Sweeper[],
      }),
    };
    return {
      module: ProjectionsModule,
      imports: [ListsModule, SchemasModule, ...imports],
      providers: [hosted, HostLease, ProjectionRunners, EffectRunners, ProjectionsHost],
      exports: [ProjectionRunners, EffectRunners],
    };
  }
}
