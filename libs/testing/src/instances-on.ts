import { InstanceRegistry } from '@application/instances/instance-registry';
import type { InstanceRole } from '@application/instances/living-instances';
import type { Clock } from '@ports/clock.port';
import type { ExpiringRecords } from '@ports/expiring-records.port';
import { FakeEngine } from './fake-engine.js';
import { FakeIds } from './fake-ids.js';

let count = 0;

/** A process on an engine that several share, or on its own with `EVER`. Its lease begins with `onModuleInit`. */
export function instancesOn(
  records: ExpiringRecords,
  clock: Clock,
  leasesVoidBefore = 0,
  role: InstanceRole = 'gateway',
): InstanceRegistry {
  return new InstanceRegistry(records, new FakeEngine(leasesVoidBefore), clock, new FakeIds(clock, ++count), role);
}
