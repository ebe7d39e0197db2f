import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees what nobody holds on to any more. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  // What the present turn of the event loop looked at stays until its end.
  await nextTurn();
  (runInNewContext('gc') as () => void)();
}
