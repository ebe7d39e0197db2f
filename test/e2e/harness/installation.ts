import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The engine of a run's services. */
export const ENGINE = process.env['E2E_ENGINE'] === 'cluster' ? 'cluster' : 'embedded';

/** The settings that lead to the servers of the cluster engine. */
const SERVERS = ['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL'] as const;

/** Where the three servers are. */
export type Servers = Readonly<Record<(typeof SERVERS)[number], string>>;

/** Everything that a service stores: a data directory, or what is under a prefix of its own on the three servers. */
export class Installation {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'e2e-'));
  readonly prefix = `e2e-${randomBytes(6).toString('hex')}`;

  /** @param servers the embedded engine when null; the engine of the whole run when absent */
  constructor(private readonly servers: Servers | null = ENGINE === 'cluster' ? serversOfRun() : null) {}

  /** The settings with which a service uses it. */
  get variables(): Readonly<Record<string, string>> {
    if (this.servers === null) return { DATA_DIR: this.dataDir };
    return {
      ENGINE: 'cluster',
      ENGINE_PREFIX: this.prefix,
      DATA_DIR: this.dataDir,
      ...this.servers,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      // The embedded build of MongoDB loses acknowledged writes of a majority when it is killed.
      MONGODB_WRITE_CONCERN: '1',
    };
  }

  /** Every byte of it. */
  async stored(): Promise<Buffer> {
    const entries = readdirSync(this.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
    return Buffer.concat(this.servers === null ? files : [...files, await (await servers()).storedOnServers(this.variables)]);
  }

  /** Deletes it. On the servers its topics alone: a broker carries thousands of partitions with difficulty. */
  async dispose(): Promise<void> {
    rmSync(this.dataDir, { recursive: true, force: true });
    if (this.servers !== null) await (await servers()).deleteTopics(this.variables);
  }
}

/** Their drivers are loaded only where they are used. */
const servers = () => import('./servers.js');

function serversOfRun(): Servers {
  const addressOf = (variable: (typeof SERVERS)[number]) => {
    const value = process.env[variable];
    if (value === undefined) throw new Error(`${variable} is not set: npm run test:cluster starts the servers.`);
    return [variable, value] as const;
  };
  return Object.fromEntries(SERVERS.map(addressOf)) as Servers;
}
