import { eventually } from '@ports/contracts/eventually';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isFree } from '../../tools/engines/free-port.mjs';
import { root } from '../deployment/compose-file.js';

const folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
const place = (name: string): string => join(folder, name);
const temporary = place('temporary');
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A killed process is there until its parent has collected it. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Runs a launcher, interrupts it once it has printed a line, and resolves to that line when the launcher has ended. */
async function interrupted(script: string, variables: Record<string, string> = {}): Promise<string> {
  const launcher = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...process.env, ...variables, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(launcher, 'close');
  const [line] = (await once(createInterface(launcher.stdout), 'line')) as [string];
  launcher.kill('SIGTERM');
  await ended;
  return line;
}

/** A server that a signal does not end. It writes its process id to the file of this name. */
const STUBBORN = `
  process.on('SIGTERM', () => undefined);
  require('node:fs').writeFileSync(${JSON.stringify(place('pid'))}, String(process.pid));
  setInterval(() => undefined, 1_000);`;
const STARTS_IT = `require('node:child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(STUBBORN)}]);`;
const PRINTS_ITS_ID = `
  while (!existsSync(${JSON.stringify(place('pid'))})) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(readFileSync(${JSON.stringify(place('pid'))}, 'utf8'));`;

describe('a launcher that is interrupted', () => {
  it('ends what its step has started, too', async () => {
    const step = `${STARTS_IT} setInterval(() => undefined, 1_000);`;
    const pid = await interrupted(`
      import { existsSync, readFileSync } from 'node:fs';
      import { endWithSteps, run } from './tools/launch/run.mjs';
      endWithSteps();
      void run(process.execPath, ['--eval', ${JSON.stringify(step)}]);
      ${PRINTS_ITS_ID}`);
    await eventually(async () => expect(isAlive(Number(pid))).toBe(false));
  });

  it('leaves nothing of what its tests have started, nor of their files', async () => {
    const starts = "require('node:fs').mkdtempSync(require('node:path').join(require('node:os').tmpdir(), 'data-'));" + STARTS_IT;
    writeFileSync(place('one.test.js'), `it('starts a server', () => { ${starts} return new Promise(() => undefined); });`);
    // As the tests of this repository: in processes of their own.
    const config = { rootDir: folder, testEnvironment: 'node', transform: {}, workerIdleMemoryLimit: '1GB' };
    const pid = await interrupted(`
      import { existsSync, readFileSync } from 'node:fs';
      import { runTests } from './tools/launch/run-tests.mjs';
      import { endWithSteps } from './tools/launch/run.mjs';
      endWithSteps();
      void runTests(['--config', ${JSON.stringify(JSON.stringify(config))}]);
      ${PRINTS_ITS_ID}`);
    await eventually(async () => expect(isAlive(Number(pid))).toBe(false));
    expect(readdirSync(temporary).filter((name) => !name.startsWith('jest'))).toEqual([]);
  });

  it('leaves no engine, and nothing of its data', async () => {
    const script = `
      import { withEngines } from './tools/engines/engines.mjs';
      import { endWithSteps } from './tools/launch/run.mjs';
      endWithSteps();
      await withEngines(async ({ EVENTSTORE_URL }) => {
        console.log(new URL(EVENTSTORE_URL).port);
        await new Promise((resolve) => setTimeout(resolve, 600_000));
      });`;
    const variables = { EVENTSTORE_URL: '', KAFKA_BROKERS: '127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1' };
    const port = Number(await interrupted(script, variables));
    await eventually(async () => expect(await isFree(port)).toBe(true));
    expect(readdirSync(temporary)).toEqual([]);
  });
});
