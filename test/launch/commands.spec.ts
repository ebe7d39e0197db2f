import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scripts: Readonly<Record<string, string>> = manifest.scripts;
/** The arguments of Node in the npm script of the command. */
const argumentsOf = (command: string) => /node (.+)$/.exec(scripts[command] ?? '')?.[1]?.split(' ') ?? [];
const commands = ['start', 'test', 'check', 'build', 'demo', 'admin', 'bench', 'chaos', 'fuzz'];

const clone = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
cpSync(join(root, 'tools'), join(clone, 'tools'), { recursive: true });
writeFileSync(join(clone, 'package.json'), JSON.stringify({ ...manifest, engines: { node: '>=99' } }));
afterAll(() => rmSync(clone, { recursive: true }));

/** Runs the command and returns its standard error. */
const stderrOf = (command: string) =>
  new Promise((resolve) => {
    execFile(process.execPath, argumentsOf(command), { cwd: clone }, (_error, _stdout, stderr) => resolve(stderr));
  });

describe('on a fresh clone, before any package is there', () => {
  it.each(commands)('npm run %s gets as far as asking for a Node that serves', async (command) => {
    expect(await stderrOf(command)).toMatch(/^This needs Node >=99, but this is \S+\. .*\n$/);
  });
});

describe('a signal while packages are installed', () => {
  const fresh = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
  const npm = join(fresh, 'npm-cli.js');
  cpSync(join(root, 'tools'), join(fresh, 'tools'), { recursive: true });
  cpSync(join(root, 'package.json'), join(fresh, 'package.json'));
  writeFileSync(npm, 'console.error(process.pid); setTimeout(() => undefined, 30_000);');
  afterAll(() => rmSync(fresh, { recursive: true }));

  it.each(commands)('ends npm as well under npm run %s, so that the next installation is alone', async (command) => {
    const env = { ...process.env, npm_execpath: npm };
    const child = spawn(process.execPath, argumentsOf(command), { cwd: fresh, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const pid = await new Promise<number>((resolve) => {
      for (const output of [child.stdout, child.stderr])
        output.setEncoding('utf8').on('data', (text: string) => /^\d+$/m.test(text) && resolve(Number(/^\d+$/m.exec(text))));
    });
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(() => process.kill(pid, 'SIGKILL')).toThrow('ESRCH');
  });
});
