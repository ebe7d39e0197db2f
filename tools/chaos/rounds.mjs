import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../launch/run.mjs';
import { Run } from './run.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

/** Copies the build, so that a concurrent build does not change the code under test. */
export function copyBuild() {
  const copy = join(root, `dist/.chaos-${process.pid}`);
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(root, 'dist/apps/gateway'), copy, { recursive: true });
  return join(copy, 'bundle');
}

/** Plays each run, prints the tally as the last line and sets the exit code. */
export async function playAll(plan, chance, serviceOf) {
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
  const tally = { passed: 0, failed: 0 };
  for (const [name, troubles] of Object.entries(plan)) {
    const run = new Run({ name, folder, chance: chance.fork(), serviceOf: (...given) => serviceOf(...given, troubles.needs) });
    const { passed, failed } = await run.play(troubles);
    tally.passed += passed;
    tally.failed += failed;
  }
  if (tally.failed > 0) say(`the logs and what was found are in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  say(`${tally.passed} passed, ${tally.failed} failed`);
  process.exitCode = tally.failed > 0 ? 1 : 0;
}
