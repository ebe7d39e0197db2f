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

/** Starts the double on a directory with so many nodes, the first of which leads; `off` are the behaviours that it lacks. */
export async function startEventStoreDb({ directory, off = [], nodes = 1 }) {
  const [port, ...others] = await freePorts(nodes);
  return EngineProcess.start(new URL('./host.mjs', import.meta.url), { directory, port, others, off });
}

async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
