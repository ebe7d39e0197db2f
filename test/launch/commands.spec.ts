import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scripts: Readonly<Record<string, string>> = manifest.scripts;
const commands = ['start', 'test', 'check', 'build', 'demo', 'bench', 'chaos', 'fuzz'];

const clone = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
cpSync(join(root, 'tools'), join(clone, 'tools'), { recursive: true });
writeFileSync(join(clone, 'package.json'), JSON.stringify({ ...manifest, engines: { node: '>=99' } }));
afterAll(() => rmSync(clone, { recursive: true }));

/** What the command says on standard error. */
const saidBy = (command: string) =>
  new Promise((resolve) => {
    const script = /node (\S+)/.exec(scripts[command] ?? '')?.[1] ?? '';
    execFile(process.execPath, [script], { cwd: clone }, (_error, _stdout, stderr) => resolve(stderr));
  });

describe('on a fresh clone, before any package is there', () => {
  it.each(commands)('npm run %s gets as far as asking for a Node that serves', async (command) => {
    expect(await saidBy(command)).toMatch(/^This needs Node >=99, but this is \S+\. .*\n$/);
  });
});
