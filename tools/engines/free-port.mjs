import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

const FIRST = 20_000;
/** Below the ephemeral ports: an outgoing connection could take the port while its engine restarts. */
const LAST = 31_999;

export function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
}
