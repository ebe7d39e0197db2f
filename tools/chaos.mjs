// npm run chaos: runs the built service under load, undisturbed, restarted and killed. Then the logs of its clients and
// receivers are checked against its answers. CHAOS_SEED repeats a run's choices, CHAOS_KILLS sets the number of kills.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chance } from './chaos/chance.mjs';
import { Run } from './chaos/run.mjs';
import { killed, leftAlone, restarted } from './chaos/troubles.mjs';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps, root } from './launch/run.mjs';

const kills = Number(process.env.CHAOS_KILLS ?? 30);
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000);

const say = (line) => process.stdout.write(`${line}\n`);

/** Copies the build, so that a concurrent build does not change the code under test. */
function copyBuild() {
  const copy = join(root, `dist/.chaos-${process.pid}`);
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(root, 'dist/apps/gateway'), copy, { recursive: true });
  return join(copy, 'bundle/main.js');
}

endWithSteps(1);
await prepare();
const main = copyBuild();
const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
const chance = new Chance(seed);
say(`seed ${seed}, ${kills} kills (CHAOS_SEED=${seed} CHAOS_KILLS=${kills} repeats it)`);

const tally = { passed: 0, failed: 0 };
const plan = { 'left-alone': leftAlone(8_000), restarted: restarted(5), killed: killed(kills) };
for (const [name, troubles] of Object.entries(plan)) {
  const run = new Run({ name, main, folder, chance: chance.fork() });
  const { passed, failed } = await run.play(troubles);
  tally.passed += passed;
  tally.failed += failed;
}

if (tally.failed > 0) say(`the logs and what was found are in ${folder}`);
else rmSync(folder, { recursive: true, force: true });
say(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed > 0 ? 1 : 0;
