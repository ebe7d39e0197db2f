import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startEach } from '../../engines/engines.mjs';
import { freshFolder } from '../builds.mjs';
import { Admin } from '../client.mjs';
import { Server, VARIABLES } from '../processes.mjs';

/** The bundle's entry of each app, and its arguments. */
const APPS = { gateway: ['main.js', '--alone'], projections: ['projections.js'], delivery: ['delivery.js'], whole: ['main.js'] };

/** Processes of the apps on engines of their own, or on the caller's. */
export class Cluster {
  running = { gateway: [], projections: [], delivery: [], whole: [] };

  /** One process of each app. */
  static async start(build) {
    const cluster = new Cluster();
    cluster.bundle = join(build.path, 'bundle');
    const folder = freshFolder('cluster');
    const { engines, variables } = await startEach(folder);
    cluster.engines = engines;
    const { EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL } = { ...process.env, ...variables };
    const prefix = `bench-${randomBytes(3).toString('hex')}-`;
    cluster.servers = { eventStoreUrl: EVENTSTORE_URL, mongodbUrl: MONGODB_URL, kafkaBrokers: KAFKA_BROKERS.split(','), prefix };
    cluster.variables = {
      ...VARIABLES,
      EVENTSTORE_URL,
      KAFKA_BROKERS,
      MONGODB_URL,
      DATA_DIR: join(folder, 'data'),
      ENGINE: 'cluster',
      ENGINE_PREFIX: prefix,
      OPERATIONS_PORT: '0',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      MONGODB_WRITE_CONCERN: '1',
    };
    // The others wait for the first start of a gateway.
    for (const app of ['gateway', 'projections', 'delivery']) await cluster.add(app);
    cluster.gateway = cluster.running.gateway[0];
    cluster.admin = await Admin.of(cluster.gateway);
    return cluster;
  }

  async add(app) {
    const [entry, ...args] = APPS[app];
    const server = await Server.start([join(this.bundle, entry), ...args], this.variables);
    this.running[app].push(server);
    return server;
  }

  /** Takes a process out and resolves when it has ended. */
  async end(app, server) {
    this.running[app] = this.running[app].filter((other) => other !== server);
    await server.stop();
  }

  async stop() {
    await Promise.all(Object.values(this.running).flatMap((apps) => apps.map((app) => app.stop('SIGKILL'))));
    await Promise.all(Object.values(this.engines).map((engine) => engine.kill()));
  }
}
