import { EffectRunners } from '@application/projections/effect-runners';
import { HostLease } from '@application/projections/host-lease';
import type { HostRegistry } from '@application/projections/host-registry';
import { ProjectionRunners } from '@application/projections/projection-runners';
import { ProjectionsHost } from '@application/projections/projections-host';
import type { FlushRequests } from '@application/read-models/flush-requests';
import type { Shutdown } from '@application/runtime/shutdown';
import type { EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import type { FakeClock } from './fake-clock.js';
import type { FakeIds } from './fake-ids.js';

export interface HostSurroundings {
  readonly ports: EmbeddedPorts;
  readonly clock: FakeClock;
  readonly ids: FakeIds;
  readonly shutdown: Shutdown;
  readonly flushRequests: FlushRequests;
}

/** A host that runs only the given projections, reactors and sweepers. */
export function hostOf({ ports, clock, ids, shutdown, flushRequests }: HostSurroundings, hosted: Partial<HostRegistry>) {
  const { events, readModels, records, engine } = ports;
  const everything = { projections: [], reactors: [], sweepers: [], ...hosted };
  const projections = new ProjectionRunners(events, readModels, clock, flushRequests, everything);
  const effects = new EffectRunners(events, clock, ids, everything);
  const host = new ProjectionsHost(projections, effects, new HostLease(records, engine, clock, ids), shutdown);
  return { projections, effects, host };
}
