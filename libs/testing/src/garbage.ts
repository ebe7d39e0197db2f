import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees what nobody holds on to any more. */
export async function collectGarbage(): Promise<void> {
  // What the present turn of the event loop looked at stays until its end.
  await nextTurn();
  collector()();
}

/** Frees what was made lately and nobody holds on to, as happens many times a second under load. */
export function collectYoungGarbage(): void {
  collector()({ type: 'minor' });
}

/** In bytes, whether anybody still holds on to it or not. */
export function memoryInUse(): number {
  return getHeapStatistics().used_heap_size;
}

type Collector = (what?: { readonly type: 'minor' }) => void;

let known: Collector | undefined;

/** Made once: each context takes memory of its own. */
function collector(): Collector {
  setFlagsFromString('--expose-gc');
  known ??= runInNewContext('gc') as Collector;
  return known;
}
