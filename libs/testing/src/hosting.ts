import { EffectRunners } from '@application/projections/effect-runners';
import { HostLease } from '@application/projections/host-lease';
import type { HostRegistry } from '@application/projections/host-registry';
import { ProjectionRunners } from '@application/projections/projection-runners';
import { ProjectionsHost } from '@application/projections/projections-host';
import { SchemaReadiness } from '@application/read-models/schema-readiness';
import type { FlushRequests } from '@application/read-models/flush-requests';
import type { Shutdown } from '@application/runtime/shutdown';
import type { EmbeddedAdapters } from '@engine-embedded/open-embedded-engine';
import type { Engine } from '@ports/engine.port';
import type { EventStore } from '@ports/event-store.port';
import type { FakeClock } from './fake-clock.js';
import type { FakeIds } from './fake-ids.js';

export interface HostSurroundings {
  readonly ports: Omit<EmbeddedAdapters, 'events'> & { readonly events: EventStore; readonly engine: Engine };
  readonly clock: FakeClock;
  readonly ids: FakeIds;
  readonly shutdown: Shutdown;
  readonly flushRequests: FlushRequests;
}

/** A host that runs only the given projections, reactors and sweepers. */
export function hostOf({ ports, clock, ids, shutdown, flushRequests }: HostSurroundings, hosted: Partial<HostRegistry>) {
  const { events, readModels, records, engine } = ports;
  const everything = { projections: [], reactors: [], sweepers: [], ...hosted };
  const projections = new ProjectionRunners(events, readModels, clock, flushRequests, engine, everything);
  const effects = new EffectRunners(events, clock, ids, everything);
  const schemas = new SchemaReadiness(readModels, everything.projections, clock);
  const host = new ProjectionsHost(projections, effects, new HostLease(records, engine, clock, ids), schemas, shutdown);
  return { projections, effects, host };
}
