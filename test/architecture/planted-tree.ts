import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const root = join(__dirname, '../..');

const ruleFiles = ['package.json', 'tsconfig.json', '.oxlintrc.json', '.dependency-cruiser.mjs', 'knip.config.js', 'tools/lint'];

/** A temporary tree with this repository's rules and dependencies, and the given files only. */
export function plant(files: Readonly<Record<string, string>>): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const path of ruleFiles) cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The JSON that a checker prints. Its exit code is ignored: it is not zero whenever there is something to report. */
export function jsonFrom(script: string, args: readonly string[], folder: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`${script} reported no JSON: ${stdout.slice(0, 2000)}${stderr.slice(0, 2000)}`);
  }
}
