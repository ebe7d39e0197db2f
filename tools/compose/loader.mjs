import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../launch/run.mjs';
import { findGo } from './go.mjs';

const source = fileURLToPath(new URL('.', import.meta.url));

/** Builds the loader. Resolves to a function that loads a Compose file with these variables, or throws the loader's message. */
export async function buildLoader(folder) {
  const program = join(folder, 'loader');
  const args = ['build', '-buildvcs=false', '-mod=readonly', '-o', program, '.'];
  const code = await run(await findGo(), args, { output: 2, cwd: source });
  if (code !== 0) throw new Error(`Building the loader failed: go ended with ${code}, and what it said is above.`);
  return (text, variables) => {
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(program, [file], { env: variables, encoding: 'utf8' });
    // Warnings fail too, as for an unset variable.
    if (status !== 0 || stderr !== '') throw new Error(stderr.trim() || `The loader ended with ${status}.`);
    return JSON.parse(stdout);
  };
}
