import type { EngineProcess } from '../engine-process.mjs';
import type { Limits } from './limits.mjs';

/** Starts the double with nodes, the first of which leads; without `off` behaviours; with `limits` of servers up to 24 by default. */
export function startEventStoreDb(options: {
  readonly directory: string;
  readonly off?: readonly string[];
  readonly nodes?: number;
  readonly limits?: Limits;
}): Promise<EngineProcess>;
