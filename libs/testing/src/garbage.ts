import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs a full garbage collection. */
export async function collectGarbage(): Promise<void> {
  // Targets of a dereferenced WeakRef stay alive until the current turn of the event loop ends.
  await nextTurn();
  collector()();
}

let known: (() => void) | undefined;

/** The collector is created once, because each VM context takes memory. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  known ??= runInNewContext('gc') as () => void;
  return known;
}
