import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = join(__dirname, '../..');
const launch = (file: string) => JSON.stringify(join(repository, 'tools/launch', file));

/** Runs a script in a child process, like the launcher, and returns its standard output. */
async function printed(script: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return stdout.trim();
}

const folder = mkdtempSync(join(tmpdir(), 'launch-'));
const place = (path: string) => join(folder, path);
const write = (path: string, text: string) => {
  mkdirSync(dirname(place(path)), { recursive: true });
  writeFileSync(place(path), text);
};
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('installing or building', () => {
  const lock = place('dist/.preparing');
  const worker = `
    import { exclusively } from ${launch('exclusively.mjs')};
    import { existsSync, rmSync, writeFileSync } from 'node:fs';
    import { setTimeout as pause } from 'node:timers/promises';
    const busy = ${JSON.stringify(place('busy'))};
    await exclusively(${JSON.stringify(lock)}, () => {}, async () => {
      console.log(existsSync(busy) ? 'together' : 'alone');
      writeFileSync(busy, '');
      await pause(100);
      rmSync(busy);
    });`;

  it('is done by one process at a time', async () => {
    expect(await Promise.all([1, 2, 3].map(() => printed(worker)))).toEqual(['alone', 'alone', 'alone']);
    expect(readdirSync(place('dist'))).toEqual([]);
  });

  it('is not held up by a holder that was killed', async () => {
    const { pid } = await deadProcess();
    write('dist/.preparing', String(pid));
    expect(await printed(worker)).toBe('alone');
  });

  it('is not held up by a stranger that got the id of a killed holder', async () => {
    write('dist/.preparing', String(process.pid));
    utimesSync(lock, new Date(0), new Date(0));
    expect(await printed(worker)).toBe('alone');
  });

  async function deadProcess(): Promise<{ pid: number }> {
    return { pid: Number(await printed('console.log(process.pid)')) };
  }
});

describe('a launcher that ends while something is installed or built', () => {
  const lock = place('dist/.preparing');
  const launcher = (step: string) => `
    import { exclusively } from ${launch('exclusively.mjs')};
    import { endWithSteps, run } from ${launch('run.mjs')};
    endWithSteps(0);
    await exclusively(${JSON.stringify(lock)}, () => {}, () => run(process.execPath, ['--eval', ${JSON.stringify(step)}]));
    console.log('and on');`;

  it.each<[NodeJS.Signals, string, string]>([
    ['SIGTERM', 'heeds it', ''],
    ['SIGTERM', 'finishes something first', "process.on('SIGTERM', () => undefined);"],
    ['SIGHUP', 'finishes something first', "process.on('SIGHUP', () => undefined);"],
  ])('by %s ends a step that %s, soon and without a trace', async (signal, _, beginning) => {
    const step = `${beginning} setTimeout(() => undefined, 600_000); console.log(process.pid);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', launcher(step)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const [pid] = (await once(child.stdout, 'data')).map(Number);
    const signalledAt = Date.now();
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(Date.now() - signalledAt).toBeLessThan(30_000);
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH');
    expect(readdirSync(place('dist'))).toEqual([]);
  });
});

describe('a launcher that is killed while packages are installed', () => {
  it.each<[string, (clone: string) => object]>([
    ['that started it', (clone) => ({ npm_execpath: `${clone}/npm-cli.js` })],
    ['of the path', (clone) => ({ npm_execpath: '', PATH: `${clone}:${process.env['PATH']}` })],
  ])('takes the npm %s with it, so that the next installation is alone', async (_, found) => {
    const clone = place('Zoë Müller %41');
    cpSync(join(repository, 'tools'), join(clone, 'tools'), { recursive: true });
    cpSync(join(repository, 'package.json'), join(clone, 'package.json'));
    const npm = "#!/usr/bin/env node\nconsole.log('begun'); setTimeout(() => console.log('went on'), 20_000);";
    for (const name of ['npm', 'npm-cli.js']) writeFileSync(join(clone, name), npm, { mode: 0o755 });
    const child = spawn(process.execPath, [join(clone, 'tools/start.mjs')], {
      env: { ...process.env, ...found(clone) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (text.includes('begun')) child.kill('SIGKILL');
    });
    await once(child, 'close');
    expect(said).toMatch(/begun\n$/);
  });
});

describe('what is installed', () => {
  const isInstalled = () =>
    printed(`import { isInstalled } from ${launch('freshness.mjs')}; console.log(isInstalled(${JSON.stringify(folder)}));`);
  const wanted = {
    '': {},
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/b': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  };
  const lockWith = (packages: object) => write('package-lock.json', JSON.stringify({ packages }));
  const installWith = (packages: object) => {
    write('node_modules/.package-lock.json', JSON.stringify({ packages }));
    for (const path of Object.keys(packages).filter(Boolean)) write(`${path}/package.json`, '{}');
  };

  it.each<[string, object | null, string]>([
    ['nothing', null, 'false'],
    ['everything', wanted, 'true'],
    ['all but what this platform has no use for', { 'node_modules/a': wanted['node_modules/a'] }, 'true'],
    ['less than is locked', { 'node_modules/b': wanted['node_modules/b'] }, 'false'],
    ['another version', { ...wanted, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }, 'false'],
    ['another content', { ...wanted, 'node_modules/b': { version: '1.0.0', integrity: 'sha512-c' } }, 'false'],
  ])('%s', async (_, installed, expected) => {
    lockWith(wanted);
    if (installed) installWith(installed);
    expect(await isInstalled()).toBe(expected);
  });

  it('is less than npm noted when a package has gone since', async () => {
    lockWith(wanted);
    installWith(wanted);
    rmSync(place('node_modules/b/package.json'));
    expect(await isInstalled()).toBe('false');
  });
});

describe('a build', () => {
  const fingerprint = () =>
    printed(`import { fingerprint } from ${launch('freshness.mjs')}; console.log(fingerprint(${JSON.stringify(folder)}));`);
  beforeEach(() => {
    for (const file of ['tsconfig.json', 'nest-cli.json', 'package-lock.json', 'tools/bundle.mjs', 'tools/console/build.mjs'])
      write(file, '1');
    write('libs/domain/src/a.ts', '1');
    write('apps/gateway/src/main.ts', '1');
  });

  it.each<[string, string, boolean]>([
    ['a changed source', 'apps/gateway/src/main.ts', true],
    ['a new source', 'libs/domain/src/b.ts', true],
    ['a page that is served', 'apps/gateway/src/admin/page.html', true],
    ['a changed compiler option', 'tsconfig.json', true],
    ['another package', 'package-lock.json', true],
    ['another way to bundle', 'tools/bundle.mjs', true],
    ['another way to bundle the console', 'tools/console/build.mjs', true],
    ['a spec', 'libs/domain/src/a.spec.ts', false],
    ['a README', 'libs/domain/README.md', false],
  ])('after %s (%s) is stale: %s', async (_, path, isStale) => {
    const before = await fingerprint();
    write(path, '2');
    expect((await fingerprint()) !== before).toBe(isStale);
  });
});

describe('a clone in a folder named neither in ASCII nor without percent signs', () => {
  const clone = 'Zoë Müller %41';

  it('is built, although the documents of its API refer to one another', async () => {
    const shared = [
      'package.json',
      'package-lock.json',
      'nest-cli.json',
      'tsconfig.json',
      'apps/gateway/tsconfig.app.json',
      'tools',
    ];
    for (const path of shared) cpSync(join(repository, path), place(`${clone}/${path}`), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), place(`${clone}/node_modules`));
    const workers = [
      'libs/engine-embedded/src/writer/store.worker',
      'libs/engine-embedded/src/backup/copy.worker',
      'libs/adapters/src/plain-text/long-text.worker',
    ];
    for (const worker of workers) write(`${clone}/${worker}.ts`, 'export {};');
    const gateway = `${clone}/apps/gateway/src`;
    write(`${gateway}/customer.ts`, 'export class Customer { phone!: string; }');
    write(`${gateway}/a.dto.ts`, "import type { Customer } from './customer.js'; export class A { customer!: Customer; }");
    write(
      `${gateway}/main.ts`,
      [
        "import { A } from './a.dto.js';",
        ...workers.map((worker) => `import '../../../${worker}.js';`),
        'console.log(A.name);',
      ].join(' '),
    );
    for (const app of ['projections', 'delivery', 'admin', 'workbench']) write(`${clone}/apps/${app}/src/main.ts`, 'export {};');
    await run(process.execPath, [place(`${clone}/tools/build.mjs`)]);
    const { stdout } = await run(process.execPath, [place(`${clone}/dist/apps/gateway/bundle/main.js`)]);
    expect(stdout).toBe('A\n');
  }, 120_000);
});

describe('the address of a service that is started', () => {
  const addressOf = (service: string) =>
    printed(`
      import { spawn } from 'node:child_process';
      import { addressOf } from ${launch('listening.mjs')};
      const child = spawn(process.execPath, ['--eval', ${JSON.stringify(service)}], { stdio: ['ignore', 'pipe', 'pipe'] });
      console.log(await addressOf(child).catch((error) => error.message.split('\\n').slice(0, 2).join(' ')));`);

  it('is what it says that it listens on', async () => {
    expect(await addressOf("console.log('Hello\\nListening on http://127.0.0.1:3000/\\nAnd so on')")).toBe(
      'http://127.0.0.1:3000',
    );
  });

  it('is none when it ends first, and what it said is told', async () => {
    expect(await addressOf("console.error('no disk'); process.exitCode = 3")).toBe(
      'The service ended at its start with 3: no disk',
    );
  });
});

describe('what speaks to a running service', () => {
  const otherSite = createServer((_, answer) => void answer.end('<!doctype html>'));
  let url: string;
  beforeAll(async () => {
    await once(otherSite.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(otherSite.address() as AddressInfo).port}`;
  });
  afterAll(() => void otherSite.close());

  it('says so where another one answers: the demo', async () => {
    const env = { PATH: process.env['PATH'], BASE_URL: url, API_KEY: 'sk_nonsense' };
    const said = await run(process.execPath, [join(repository, 'tools/demo.mjs')], { env }).catch(
      ({ stderr }: { stderr: string }) => stderr,
    );
    expect(said).toContain(`${url} is not this service: it answers 200 without JSON.\n`);
  });
});
