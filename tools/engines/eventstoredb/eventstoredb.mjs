import { EngineProcess } from '../engine-process.mjs';
import { freePort } from '../free-port.mjs';
import { LIMITS } from './limits.mjs';

export const EVENTSTOREDB = {
  name: 'EventStoreDB',
  variable: 'EVENTSTORE_URL',
  gaps: () => [],
  provision: () => Promise.resolve(),
  start: startEventStoreDb,
};

export async function startEventStoreDb({ directory, off = [], nodes = 1, limits = LIMITS['22.10'] }) {
  const [port, ...others] = await freePorts(nodes);
  return EngineProcess.start(new URL('./host.mjs', import.meta.url), { directory, port, others, off, limits });
}

async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
