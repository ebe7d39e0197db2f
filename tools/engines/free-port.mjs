import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

const FIRST = 20_000;
/** Below the ports that outgoing connections take: one of those could have the port while its engine is restarted. */
const LAST = 31_999;

/** Whether nothing listens on this port. */
export function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A port of this machine that nothing listens on. An engine keeps it over its restarts. */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
}
