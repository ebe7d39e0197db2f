// npm run soak: every suite whose rounds CI cuts, whole: hours of random requests and of killed processes and engines, and the
// contracts and end-to-end files that repeat on one more engine. A suite that fails does not keep the next ones from running.
import { endWithSteps, runNpm } from './launch/run.mjs';

/** Suites, each with its arguments. */
const SUITES = {
  fuzz: {},
  chaos: {},
  'test:cluster': { args: ['--selectProjects', 'soak'] },
  'chaos:cluster': {},
};

endWithSteps();
const failed = [];
for (const [name, { args = [] }] of Object.entries(SUITES)) {
  process.stdout.write(`=== npm run ${name}\n`);
  if ((await runNpm(['run', '--silent', name, '--', ...args])) !== 0) failed.push(name);
}
if (failed.length > 0) process.stderr.write(`soak failed at: ${failed.join(', ')}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
