import { InstanceRegistry } from '@application/instances/instance-registry';
import type { InstanceRole } from '@application/instances/living-instances';
import type { Clock } from '@ports/clock.port';
import type { ExpiringRecords } from '@ports/expiring-records.port';
import { FakeEngine, type Processes } from './fake-engine.js';
import { FakeIds } from './fake-ids.js';

let count = 0;

/** A process on an engine that several share, or that admits one. Its lease begins with `onModuleInit`. */
export function instancesOn(
  records: ExpiringRecords,
  clock: Clock,
  processes: Processes = 'several',
  role: InstanceRole = 'gateway',
  version = '1.2.3',
): InstanceRegistry {
  return new InstanceRegistry(records, new FakeEngine(processes), clock, new FakeIds(clock, ++count), { role, version });
}
