import { EngineProcess } from '../engine-process.mjs';
import { freePort } from '../free-port.mjs';

/** EventStoreDB: a double in a process of its own. It needs nothing that is not installed. */
export const EVENTSTOREDB = {
  name: 'EventStoreDB',
  variable: 'EVENTSTORE_URL',
  gaps: () => [],
  provision: () => Promise.resolve(),
  start: startEventStoreDb,
};

/** Starts the double on a directory; `off` are the behaviours that it lacks. */
export async function startEventStoreDb({ directory, off = [] }) {
  return EngineProcess.start(new URL('./host.mjs', import.meta.url), { directory, port: await freePort(), off });
}
