import { spawn, type StdioOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ADMIN_PASSWORD, API_KEY, App, DEFAULTS, MAIN, startThatEnds } from './harness/app.js';
import { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { Installation } from './harness/installation.js';

const preloading = (file: string) => ({ NODE_OPTIONS: `--import=${pathToFileURL(join(__dirname, 'harness', file)).href}` });

let installation: Installation;
beforeEach(() => void (installation = new Installation()));
afterEach(() => installation.dispose());

/** Starts a service on a known port, so that its output need not be read. */
async function startOnPort(port: number, stdio: StdioOptions) {
  const env = { ...DEFAULTS, ...installation.variables, PORT: String(port) };
  const child = spawn(process.execPath, [MAIN], { env, stdio });
  child.stdout?.destroy();
  // 'exit' may come before the last of stderr.
  const ended = once(child, 'close');
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const lines = () => stderr.split('\n').filter((line) => line !== '');
  const isLogged = (line: string) => line.startsWith('{');
  const stderrOf = { log: () => lines().filter(isLogged), stderr: () => lines().filter((line) => !isLogged(line)) };
  return { child, ended, ...stderrOf };
}

/** A free port below the ephemeral range, so that no other program is given it before the service binds it. */
async function freePort(): Promise<number> {
  const port = randomInt(10_000, 20_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a service, expects an answer from it, and expects it to end when asked to. */
async function outlives(stdio: StdioOptions): Promise<void> {
  const port = await freePort();
  const { child, ended } = await startOnPort(port, stdio);
  const client = new Client(`http://127.0.0.1:${port}`, API_KEY);
  await eventually(async () => expect((await client.get('/ready')).status).toBe(200));
  expect((await client.say('unheard', 'Hello')).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}

describe('a signal', () => {
  it('while the service is being loaded ends it with 0, before it has touched anything', async () => {
    const end = await startThatEnds({ ...installation.variables, ...preloading('signal-while-loading.mjs') });
    expect(end).toEqual({ code: 0, stderr: '' });
    expect(await installation.stored()).toHaveLength(0);
  });
});

describe('a failure of the service that is left unhandled', () => {
  it('ends it with 1, one line that says where, and call sites in the log, without quoting the failure', async () => {
    const { code, stderr } = await startThatEnds({
      ...installation.variables,
      ...preloading('own-rejection.mjs'),
    });
    const lines = stderr.trim().split('\n');
    const where = expect.stringContaining('own-rejection.mjs:');
    expect(code).toBe(1);
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([
      expect.stringMatching(/^the service stops: .*: TypeError at .*own-rejection\.mjs:\d+/),
    ]);
    expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 50, error: { name: 'TypeError', at: expect.arrayContaining([where]) } }),
    );
    expect(stderr).not.toContain('of a secret customer');
  });
});

describe('a first start', () => {
  it('serves nobody before the key and the password that it was told are good', async () => {
    const port = await freePort();
    const { child, ended } = await startOnPort(port, ['ignore', 'ignore', 'ignore']);
    const anybody = new Client(`http://127.0.0.1:${port}`, null);
    const firstAnswer = await eventually(() => anybody.post('/admin/v1/login', { password: ADMIN_PASSWORD }));
    expect(firstAnswer.status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

describe('a service that nobody reads', () => {
  it('does not keep a first start whose secrets nobody saw, and tells new ones at the next', async () => {
    const { ended, log, stderr } = await startOnPort(0, ['ignore', 'pipe', 'pipe']);
    expect(await ended).toEqual([1, null]);
    expect(log().at(-1)).toContain('the start failed');
    expect(stderr()).toEqual([expect.stringMatching(/^what the first start has to tell could not be printed.*EPIPE/)]);
    const next = await App.start({ BOOTSTRAP_API_KEY: '', ADMIN_PASSWORD: '' }, installation);
    expect(next.stdout).toMatch(/API key +sk_\w+\n +Admin password +\w+\n/);
    await next.kill();
  });

  it('goes on at every later start', async () => {
    await (await App.start({}, installation)).kill();
    await outlives(['ignore', 'pipe', 'ignore']);
  });

  it('goes on when its log cannot be written', async () => {
    const unwritable = openSync(MAIN, 'r');
    await outlives(['ignore', 'ignore', unwritable]);
    closeSync(unwritable);
  });
});
