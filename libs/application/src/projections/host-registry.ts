import type { Projection } from '../read-models/projection.js';
import type { Reactor } from '../runtime/reactor.js';
import type { Sweeper } from '../runtime/sweeper.js';
import type { TaskKind } from '../tasks/task-kind.js';

export abstract class HostRegistry {
  abstract readonly projections: readonly Projection[];
  abstract readonly reactors: readonly Reactor[];
  abstract readonly sweepers: readonly Sweeper[];
  abstract readonly taskKinds: readonly TaskKind[];
}
