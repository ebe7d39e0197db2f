import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Config } from '@platform/config/config';
import { EnvDto } from '@platform/config/env.dto';
import { composeFile, root, service } from './compose-file.js';

const apps = ['gateway', 'projections', 'delivery'];
const engines = ['eventstoredb', 'kafka', 'mongodb'];
const settings = Object.keys(new EnvDto());
const secretsKey = Buffer.alloc(32).toString('base64');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** The settings that the file itself fixes. */
const fixed = (app: string) =>
  Object.fromEntries(Object.entries(service(app).environment ?? {}).filter(([, value]) => value !== null)) as Record<
    string,
    string
  >;

it('docker-compose.yml runs the three apps and the three engines, and nothing else', () =>
  expect(Object.keys(composeFile.services).sort()).toEqual([...apps, ...engines].sort()));

describe.each(apps)('the container of %s', (app) => {
  it('is built from here, not pulled, and waits for engines that are well', () => {
    expect(service(app)).toMatchObject({ build: '.' });
    expect(service(app).image).toBeUndefined();
    expect(service(app).depends_on).toEqual(Object.fromEntries(engines.map((name) => [name, { condition: 'service_healthy' }])));
  });

  it('cannot write to its image, gain a privilege, or be cut off before its 20 s are over', () => {
    expect(service(app)).toMatchObject({ init: true, read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
    expect(service(app).security_opt).toEqual(['no-new-privileges:true']);
    expect(service(app).stop_grace_period).toBe('30s');
  });

  it('has every setting but those that a container fixes, and no other variable', () => {
    const ofGateway = ['BOOTSTRAP_API_KEY', 'ADMIN_PASSWORD', 'PUBLIC_URL'];
    const leftOut = ['DATA_DIR', 'PORT', 'OPERATIONS_PORT', ...(app === 'gateway' ? [] : ofGateway)];
    expect(Object.keys(service(app).environment ?? {}).sort()).toEqual(settings.filter((name) => !leftOut.includes(name)).sort());
  });

  it('has settings that can be read, with a default of the file only where a container needs another one', () => {
    expect(Object.keys(fixed(app)).sort()).toEqual(
      ['ENGINE', 'HOST', 'OPERATIONS_HOST', 'EVENTSTORE_URL', 'MONGODB_URL', 'KAFKA_BROKERS', 'SECRETS_KEY'].sort(),
    );
    expect(fixed(app).SECRETS_KEY).toMatch(/^\$\{SECRETS_KEY:\?.+\}$/);
    expect(Config.from({ ...fixed(app), SECRETS_KEY: secretsKey })).toMatchObject({ engine: 'cluster' });
  });

  it('finds each engine under the name of its service', () => {
    const { EVENTSTORE_URL, MONGODB_URL, KAFKA_BROKERS } = fixed(app);
    const hosts = [EVENTSTORE_URL, MONGODB_URL, `kafka://${KAFKA_BROKERS}`].map((url = '') => new URL(url).host);
    expect(hosts).toEqual(['eventstoredb:2113', 'mongodb:27017', 'kafka:9092']);
  });

  it('starts the app with the flags of its npm script', () => {
    const [, flags = ''] = /node (.*)tools\/start\.mjs \w+$/.exec(scripts[`start:${app}`] ?? '') ?? [];
    const entry = `dist/apps/gateway/bundle/${app === 'gateway' ? 'main' : app}.js`;
    const alone = app === 'gateway' ? ['--alone'] : [];
    expect(service(app).command).toEqual(['node', ...flags.split(' ').filter(Boolean), entry, ...alone]);
  });
});

describe('the health check of an app', () => {
  const ports = { gateway: 3000, projections: 3001, delivery: 3002 };

  /** The exit code of the check where /ready answers like this. */
  async function exitCode(app: string, answer: () => Promise<{ ok: boolean }>): Promise<number> {
    const [, program, , script = ''] = service(app).healthcheck.test;
    expect(program).toBe('node');
    return new Promise((resolve) => {
      const pending = runInNewContext(script, { fetch: answer, process: { exit: resolve } }) as Promise<void>;
      // An unhandled rejection ends Node with 1.
      pending.catch(() => resolve(1));
    });
  }

  it.each(Object.entries(ports))('of %s asks for /ready on its port', async (app, port) => {
    const asked: unknown[] = [];
    await exitCode(app, async (...args: unknown[]) => (asked.push(...args), { ok: true }));
    expect(asked).toEqual([`http://127.0.0.1:${port}/ready`]);
  });

  it.each(apps)('of %s passes for 2xx alone', async (app) => {
    expect(await exitCode(app, async () => ({ ok: true }))).toBe(0);
    expect(await exitCode(app, async () => ({ ok: false }))).toBe(1);
    expect(await exitCode(app, () => Promise.reject(new Error('ECONNREFUSED')))).toBe(1);
  });
});

describe('a published port', () => {
  const published = Object.values(composeFile.services).flatMap(({ ports = [] }) => ports);

  it('is open to this machine alone', () => {
    expect(published.length).toBeGreaterThan(0);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('is none of the workers’, which have no name of their own either: any number of them can run', () => {
    for (const app of ['projections', 'delivery']) {
      expect(service(app).ports).toBeUndefined();
      expect(service(app).container_name).toBeUndefined();
    }
  });

  it('of the gateway is the one that PORT names', () =>
    expect(service('gateway').ports).toEqual(['127.0.0.1:${PORT:-3000}:3000']));
});
