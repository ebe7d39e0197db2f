import type { Projection } from '../read-models/projection.js';
import type { Reactor } from '../runtime/reactor.js';
import type { Sweeper } from '../runtime/sweeper.js';

/** Everything that follows the log or the clock. */
export abstract class Hosted {
  abstract readonly projections: readonly Projection[];
  abstract readonly reactors: readonly Reactor[];
  abstract readonly sweepers: readonly Sweeper[];
}
