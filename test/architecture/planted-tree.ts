import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const root = join(__dirname, '../..');

const houseRules = ['package.json', 'tsconfig.json', '.oxlintrc.json', '.dependency-cruiser.mjs', 'knip.config.js', 'tools/lint'];

/** A tree of its own under the same rules as this one, holding nothing but the given files. */
export function plant(files: Readonly<Record<string, string>>): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const path of houseRules) cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a checker prints as JSON. Its exit code is no answer: it differs from zero exactly when there is a report to read. */
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
