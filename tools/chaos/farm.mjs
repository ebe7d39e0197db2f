import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('receivers.mjs', import.meta.url));

/** Those with filters have an endpoint from the start. */
export const RECEIVERS = {
  steady: { filters: [], ends: ['succeeded'] },
  flapping: { filters: ['appointment.*'], ends: ['succeeded', 'failed'] },
  slow: { filters: ['appointment.cancelled', 'appointment.failed'], ends: ['succeeded'] },
  rejecting: { filters: ['appointment.failed'], ends: ['failed'] },
  dead: { filters: ['appointment.rescheduled'], ends: ['failed'] },
  hesitant: { ends: ['succeeded'] },
  refusing: { ends: ['succeeded', 'failed'] },
};

/** The receivers of a run. */
export class Farm {
  received = 0;

  static async start(log) {
    const farm = new Farm();
    farm.child = fork(PROGRAM, [log]);
    const [{ port }] = await once(farm.child, 'message');
    farm.port = port;
    farm.child.on('message', ({ received }) => (farm.received = received));
    farm.deadPort = await unusedPort();
    return farm;
  }

  /** `more` distinguishes endpoints of one receiver. */
  urlOf(receiver, more = '') {
    return `http://127.0.0.1:${receiver === 'dead' ? this.deadPort : this.port}/${receiver}${more}`;
  }

  async register(client) {
    for (const [name, { filters }] of Object.entries(RECEIVERS)) {
      if (!filters) continue;
      const body = { url: this.urlOf(name), event_filters: filters, description: name };
      await client.change('POST', '/v1/webhook_endpoints', body, { kind: 'endpoint' });
    }
  }

  async stop() {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

async function unusedPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
