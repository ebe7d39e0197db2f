import type { EngineProcess } from '../engine-process.mjs';
import type { Limits } from './limits.mjs';

/**
 * Starts the double on a directory with so many nodes, the first of which leads; `off` are the behaviours that it lacks, `limits`
 * those of servers up to 24 when absent.
 */
export function startEventStoreDb(options: {
  readonly directory: string;
  readonly off?: readonly string[];
  readonly nodes?: number;
  readonly limits?: Limits;
}): Promise<EngineProcess>;
