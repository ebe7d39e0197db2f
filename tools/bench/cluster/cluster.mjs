import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEach } from '../../engines/engines.mjs';
import { Admin } from '../admin.mjs';
import { asked, LOCAL_HOOKS } from '../hooks.mjs';
import { freshFolder } from '../places.mjs';
import { Server, VARIABLES } from '../processes.mjs';

/** The bundle's entry of each app, and what it is told. */
const APPS = { gateway: ['main.js', '--alone'], projections: ['projections.js'], delivery: ['delivery.js'], whole: ['main.js'] };
const CLUSTER = {
  ENGINE: 'cluster',
  OPERATIONS_PORT: '0',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  // The embedded build of MongoDB loses acknowledged writes of a majority when it is killed.
  MONGODB_WRITE_CONCERN: '1',
  // A delivery whose process was killed is sent again when its lease ends, five seconds after this.
  WEBHOOK_TIMEOUT_MS: '3000',
};
const LOOK_EVERY_MS = 100;
const GIVE_UP_MS = 120_000;

/** Processes of the apps on engines of their own, or on the caller's. */
export class Cluster {
  running = { gateway: [], projections: [], delivery: [], whole: [] };
  projects = 0;

  /** One process of each app. */
  static async start(build) {
    const cluster = new Cluster();
    cluster.bundle = join(build.path, 'bundle');
    cluster.folder = freshFolder('cluster');
    const { engines, variables } = await startEach(cluster.folder);
    cluster.engines = engines;
    const { EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL } = { ...process.env, ...variables };
    const ENGINE_PREFIX = `bench-${randomBytes(3).toString('hex')}-`;
    cluster.variables = { ...VARIABLES, ...LOCAL_HOOKS, ...CLUSTER, EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL, ENGINE_PREFIX };
    // The others wait for the first start of a gateway.
    for (const app of ['gateway', 'projections', 'delivery']) await cluster.add(app);
    return cluster;
  }

  /** Where the servers are, as the engine is told. */
  get servers() {
    const { EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL, ENGINE_PREFIX } = this.variables;
    const servers = { eventStoreUrl: EVENTSTORE_URL, mongodbUrl: MONGODB_URL, kafkaBrokers: KAFKA_BROKERS.split(',') };
    return { ...servers, writeConcern: 1, replicationFactor: 1, prefix: ENGINE_PREFIX };
  }

  get gateway() {
    return this.running.gateway[0];
  }

  get url() {
    return this.gateway.url;
  }

  async add(app, variables = {}) {
    const [entry, ...args] = APPS[app];
    const env = { ...this.variables, DATA_DIR: join(this.folder, 'data'), ...variables };
    const flags = process.env.BENCH_NODE_FLAGS?.split(' ') ?? [];
    const server = await Server.start([...flags, join(this.bundle, entry), ...args], env);
    this.running[app].push(server);
    return server;
  }

  /** Takes a process out and ends it. Resolves when it has ended. */
  async end(app, server, signal = 'SIGTERM') {
    this.running[app] = this.running[app].filter((other) => other !== server);
    await server.end(signal);
  }

  async admin() {
    return (this.knownAdmin ??= await Admin.of(this));
  }

  /** A project of its own, with its API key. */
  async project() {
    const admin = await this.admin();
    const { id } = await admin.ask('POST', '/projects', { name: `project ${++this.projects}` });
    const { secret } = await admin.ask('POST', `/projects/${id}/api_keys`, { name: 'bench' });
    return { id, key: secret, ask: (method, path, body) => this.ask(secret, method, path, body) };
  }

  async ask(key, method, path, body) {
    return JSON.parse(await asked(this.url + path, method, body && JSON.stringify(body), key));
  }

  /** Attempts whose outcome is stored, at least. */
  async settled() {
    const texts = await Promise.all(this.running.delivery.map(({ url }) => asked(`${url}/metrics`)));
    return texts.reduce((sum, text) => {
      const ended = [...text.matchAll(/^webhook_attempts_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
      return sum + ended.reduce((all, count) => all + count, 0) - Number(/^webhook_attempts_in_flight (\d+)$/m.exec(text)[1]);
    }, 0);
  }

  /** Until the read models and the reactors have handled what was written. */
  async caughtUp() {
    await until(async () => {
      const [text] = await Promise.all(this.running.projections.map(({ url }) => asked(`${url}/metrics`)));
      return [...text.matchAll(/^(?:reactor_waiting_events|projection_lag_seconds)\{.*\} (\S+)$/gm)].every(
        ([, left]) => left === '0',
      );
    });
  }

  async stop() {
    const apps = Object.values(this.running).flat();
    await Promise.all(apps.map((app) => app.kill()));
    await Promise.all(Object.values(this.engines).map((engine) => engine.kill()));
  }
}

/** Looks until it is so; rejects after two minutes. */
export async function until(isSo, lookEveryMs = LOOK_EVERY_MS) {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error('it did not come about within two minutes');
    await pause(lookEveryMs);
  }
}
