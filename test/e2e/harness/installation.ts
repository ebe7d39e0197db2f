import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedOnServers } from './servers.js';

/** The engine of the services under test. */
const ENGINE = process.env['E2E_ENGINE'] === 'cluster' ? 'cluster' : 'embedded';

/** The settings that lead to the servers of the cluster engine. */
const SERVERS = ['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL'] as const;

/** Everything that a service stores: a data directory, or what is under a prefix of its own on the three servers. */
export class Installation {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'e2e-'));
  private readonly prefix = `e2e-${randomBytes(6).toString('hex')}`;

  /** The settings with which a service uses it. */
  get variables(): Readonly<Record<string, string>> {
    if (ENGINE === 'embedded') return { DATA_DIR: this.dataDir };
    return {
      ...{ ENGINE, ENGINE_PREFIX: this.prefix, DATA_DIR: this.dataDir },
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      // The embedded build of MongoDB loses acknowledged writes of a majority when it is killed.
      MONGODB_WRITE_CONCERN: '1',
      ...Object.fromEntries(SERVERS.map((variable) => [variable, addressOf(variable)])),
    };
  }

  /** Every byte of it. */
  async stored(): Promise<Buffer> {
    const entries = readdirSync(this.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
    return Buffer.concat(ENGINE === 'embedded' ? files : [...files, await storedOnServers(this.variables)]);
  }

  dispose(): void {
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

function addressOf(variable: (typeof SERVERS)[number]): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set: npm run test:cluster starts the servers.`);
  return value;
}
