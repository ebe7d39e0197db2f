import type { Reactor } from '../reactors/reactor.js';
import type { Sweeper } from '../sweepers/sweeper.js';
import type { Projection } from './projection.js';

/** Everything that follows the log or the clock. */
export abstract class Hosted {
  abstract readonly projections: readonly Projection[];
  abstract readonly reactors: readonly Reactor[];
  abstract readonly sweepers: readonly Sweeper[];
}
