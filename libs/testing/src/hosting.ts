import { BesideHost } from '@application/projections/beside-host';
import { EffectRunners } from '@application/projections/effect-runners';
import { HostLease } from '@application/projections/host-lease';
import type { HostRegistry } from '@application/projections/host-registry';
import { ProjectionRunners } from '@application/projections/projection-runners';
import { ProjectionsHost } from '@application/projections/projections-host';
import { HostNotes } from '@application/projections/standing/host-notes';
import { HostRecord } from '@application/projections/standing/host-record';
import { UnusedRows } from '@application/projections/unused-rows';
import type { InstanceRegistry } from '@application/instances/instance-registry';
import type { FlushRequests } from '@application/read-models/flush-requests';
import type { Shutdown } from '@application/runtime/shutdown';
import { SkipRecorder } from '@application/skipped-events/skip-recorder';
import { SkippedEventDirectory } from '@application/skipped-events/skipped-event-directory';
import { StreamCache } from '@application/streams/stream-cache';
import { StreamRunner } from '@application/streams/stream-runner';
import { TaskDirectory } from '@application/tasks/task-directory';
import { TaskRunner } from '@application/tasks/task-runner';
import type { EmbeddedAdapters } from '@engine-embedded/open-embedded-engine';
import type { Engine } from '@ports/engine.port';
import type { EventStore } from '@ports/event-store.port';
import type { ReadModels } from '@ports/read-models.port';
import type { FakeClock } from './fake-clock.js';
import type { FakeIds } from './fake-ids.js';

/** The instances of an installation without processes of an older release. */
export const NO_OLDER_RELEASE = { refuseBesideOlder: () => Promise.resolve() } as InstanceRegistry;

const NO_NOTES = { run: () => Promise.resolve() } as unknown as HostNotes;

/** As a process knows itself. */
const THIS_PROCESS = { role: 'projections' } as InstanceRegistry;

export interface HostSurroundings {
  readonly ports: Omit<EmbeddedAdapters, 'events' | 'readModels'> & {
    readonly events: EventStore;
    readonly readModels: ReadModels;
    readonly engine: Engine;
  };
  readonly clock: FakeClock;
  readonly ids: FakeIds;
  readonly shutdown: Shutdown;
  readonly flushRequests: FlushRequests;
}

/** A host that runs only the given projections, reactors, sweepers and kinds of tasks. */
export function hostOf({ ports, clock, ids, shutdown, flushRequests }: HostSurroundings, hosted: Partial<HostRegistry>) {
  const { events, readModels, records, engine } = ports;
  const everything = { projections: [], reactors: [], sweepers: [], taskKinds: [], ...hosted };
  const streams = new StreamRunner(events, new StreamCache(events), clock, ids);
  const skips = new SkipRecorder(new SkippedEventDirectory(streams), clock, ids);
  const projections = new ProjectionRunners({ store: events, readModels, clock, skips }, flushRequests, everything);
  const tasks = new TaskRunner(everything.taskKinds, new TaskDirectory(streams, NO_OLDER_RELEASE, clock), {
    readModels,
    clock,
    ids,
  });
  const effects = new EffectRunners(events, clock, ids, everything, tasks, skips);
  const lease = new HostLease(records, engine, clock, ids);
  const record = new HostRecord(records, clock, THIS_PROCESS);
  const notes = engine.isShared ? new HostNotes(record, THIS_PROCESS, clock) : NO_NOTES;
  const beside = new BesideHost(projections, lease, record, notes, clock);
  const unused = new UnusedRows(readModels, clock);
  const host = new ProjectionsHost(projections, effects, lease, beside, shutdown, notes, unused);
  return { projections, effects, host };
}
