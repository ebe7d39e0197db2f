import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEach } from '../engines/engines.mjs';
import { Service } from './gateway-process.mjs';

const APPS = {
  gateway: ['main.js', ['--alone']],
  projections: ['projections.js', []],
  delivery: ['delivery.js', []],
};
const OF_EACH = 2;

const VARIABLES = {
  ENGINE: 'cluster',
  OPERATIONS_PORT: '0',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  // MongoDB's embedded build loses acknowledged majority writes when killed.
  MONGODB_WRITE_CONCERN: '1',
  // A delivery of a killed process is resent when its lease ends, five seconds after this.
  WEBHOOK_TIMEOUT_MS: '3000',
};

export class ClusterService {
  apps = {};
  engines = {};
  /** Kills and recoveries of engines in order; epoch milliseconds. */
  outages = [];
  late = [];
  turn = 0;
  /** Twice the promised time, because of the load. */
  endpointsAreStaleMs = 10_000;

  /** @param needs settings, and starters by engine name that replace the single process */
  constructor(bundle, folder, variables, needs = {}) {
    this.folder = folder;
    this.needs = needs;
    this.log = join(folder, 'service.log');
    this.bundle = bundle;
    this.variables = { ...VARIABLES, ...variables, ...needs.variables };
  }

  get processes() {
    return Object.values(this.apps).flat();
  }

  get mishaps() {
    return [...this.late, ...this.processes.flatMap(({ mishaps }) => mishaps)];
  }

  /** Of processes and engines. */
  get kills() {
    return [...this.processes.flatMap(({ kills }) => kills), ...this.outages.map(({ from }) => from)];
  }

  get starts() {
    return this.processes.reduce((sum, { starts }) => sum + starts, 0);
  }

  get slowestStartMs() {
    return Math.max(0, ...this.processes.map(({ slowestStartMs }) => slowestStartMs));
  }

  /** A running gateway, in turn as a load balancer would choose. */
  address() {
    const running = this.apps.gateway.filter(({ isDown }) => !isDown);
    if (running.length > 0) return running[this.turn++ % running.length].address();
    return Promise.race(this.apps.gateway.map((gateway) => gateway.address()));
  }

  addresses() {
    return Promise.all(this.processes.map((process) => process.address()));
  }

  async start() {
    const data = join(this.folder, 'engines');
    mkdirSync(data, { recursive: true });
    const { engines, variables } = await startEach(data, this.needs.engines);
    this.engines = engines;
    for (const [name, [entry, args]] of Object.entries(APPS)) {
      const env = { ...this.variables, ...variables };
      this.apps[name] = Array.from({ length: OF_EACH }, () => new Service(join(this.bundle, entry), this.folder, env, args));
    }
    await Promise.all(this.processes.map((process) => process.start()));
  }

  async kill() {
    await Promise.all(this.processes.map((process) => process.kill()));
    await Promise.all(Object.values(this.engines).map((engine) => engine.kill()));
  }
}
