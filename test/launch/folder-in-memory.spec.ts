import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../deployment/compose-file.js';

/** The folder that is chosen where memory is at this one, if at all. */
function chosen(memory: string, variables: Readonly<Record<string, string>> = {}): string {
  const script = `import { folderInMemory } from './tools/launch/folder-in-memory.mjs'; console.log(folderInMemory(${JSON.stringify(memory)}));`;
  const { TMPDIR: _, ...env } = process.env;
  const args = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { cwd: root, env: { ...env, ...variables }, encoding: 'utf8' }).trim();
}

describe('temporary files of the cluster tests', () => {
  it('are where TMPDIR says, whatever else there is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'chosen-'));
    expect(chosen('/dev/shm', { TMPDIR: folder })).toBe(folder);
    rmSync(folder, { recursive: true });
  });

  it('are in the usual folder where there is none in memory', () => {
    expect(chosen('/dev/there-is-none')).toBe('/tmp');
  });
});
