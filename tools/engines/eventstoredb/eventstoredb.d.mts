import type { EngineProcess } from '../engine-process.mjs';

/** Starts the double on a directory with so many nodes, the first of which leads; `off` are the behaviours that it lacks. */
export function startEventStoreDb(options: {
  readonly directory: string;
  readonly off?: readonly string[];
  readonly nodes?: number;
}): Promise<EngineProcess>;
