import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs a full garbage collection. */
export async function collectGarbage(): Promise<void> {
  // Targets of a dereferenced WeakRef stay alive until the current turn of the event loop ends.
  await nextTurn();
  collector()();
}

/** Collects the young generation only, as V8 does many times a second under load. */
export function collectYoungGarbage(): void {
  collector()({ type: 'minor' });
}

/** The used heap in bytes, including garbage that is not yet collected. */
export function memoryInUse(): number {
  return getHeapStatistics().used_heap_size;
}

type Collector = (what?: { readonly type: 'minor' }) => void;

let known: Collector | undefined;

/** The collector is created once, because each VM context takes memory. */
function collector(): Collector {
  setFlagsFromString('--expose-gc');
  known ??= runInNewContext('gc') as Collector;
  return known;
}
