import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('receivers.mjs', import.meta.url));

/** Who wants which events, and what becomes of a delivery to it when all else goes well. */
export const RECEIVERS = {
  steady: { filters: [], ends: ['succeeded'] },
  flapping: { filters: ['appointment.*'], ends: ['succeeded', 'failed'] },
  slow: { filters: ['appointment.cancelled', 'appointment.failed'], ends: ['succeeded'] },
  rejecting: { filters: ['appointment.failed'], ends: ['failed'] },
  dead: { filters: ['appointment.rescheduled'], ends: ['failed'] },
};

export function wants({ filters }, type) {
  return filters.length === 0 || filters.includes(type) || filters.includes('appointment.*');
}

/** The receivers of one run: their endpoints are registered before anything happens. */
export class Farm {
  static async start(log) {
    const farm = new Farm();
    farm.child = fork(PROGRAM, [log]);
    const [{ port }] = await once(farm.child, 'message');
    farm.port = port;
    farm.deadPort = await unusedPort();
    return farm;
  }

  async register(client) {
    const secrets = {};
    for (const [name, { filters }] of Object.entries(RECEIVERS)) {
      const url = name === 'dead' ? `http://127.0.0.1:${this.deadPort}/dead` : `http://127.0.0.1:${this.port}/${name}`;
      const body = { url, event_filters: filters, description: name };
      const { body: endpoint } = await client.change('POST', '/v1/webhook_endpoints', body, { kind: 'endpoint', name });
      secrets[name] = endpoint.secret;
    }
    this.child.send(secrets);
    await once(this.child, 'message');
  }

  async stop() {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

/** Nobody listens there. */
async function unusedPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
