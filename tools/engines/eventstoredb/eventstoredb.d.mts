import type { EngineProcess } from '../engine-process.mjs';

/** Starts the double on a directory; `off` are the behaviours that it lacks. */
export function startEventStoreDb(options: {
  readonly directory: string;
  readonly off?: readonly string[];
}): Promise<EngineProcess>;
