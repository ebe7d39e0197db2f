import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../launch/run.mjs';

const version = '4.32.5';
const home = join(root, '.engines', `schemathesis-${version}`);
const program = join(home, 'bin/schemathesis');
const done = join(home, 'pyvenv.cfg');

async function step(command, args) {
  const ending = await run(command, args, { output: 2 }).catch(({ code }) => code);
  if (ending === 0) return;
  rmSync(home, { recursive: true, force: true });
  process.stderr.write(
    `${command} ${args.join(' ')} ended with ${ending}.\nThe fuzzer needs Python 3.10 or newer with venv, and PyPI.\n`,
  );
  process.exit(1);
}

export async function installSchemathesis() {
  if (existsSync(program) && existsSync(done)) return program;
  process.stderr.write(`Installing schemathesis ${version} (once) …\n`);
  rmSync(home, { recursive: true, force: true });
  await step('python3', ['-m', 'venv', home]);
  await step(join(home, 'bin/python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    `schemathesis==${version}`,
  ]);
  return program;
}
