import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
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

function collector(): (what?: { readonly type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
