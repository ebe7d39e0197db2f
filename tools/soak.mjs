// npm run soak: runs in full every suite that CI shortens, the end-to-end tests at scale on both engines among them, and the
// contracts and end-to-end files that repeat on another engine.
// Takes hours. A failed suite does not stop the next.
import { endWithSteps, runNpm } from './launch/run.mjs';

const SUITES = {
  fuzz: {},
  test: { args: ['--selectProjects', 'e2e', '--testPathPatterns', 'test/e2e/at-scale/'] },
  chaos: {},
  'test:cluster': { args: ['--selectProjects', 'soak', 'browser-soak'] },
  'chaos:cluster': {},
};

process.env.E2E_SIZE = '1';
endWithSteps();
const failed = [];
for (const [name, { args = [] }] of Object.entries(SUITES)) {
  process.stdout.write(`=== npm run ${name}\n`);
  if ((await runNpm(['run', '--silent', name, '--', ...args])) !== 0) failed.push(name);
}
if (failed.length > 0) process.stderr.write(`soak failed at: ${failed.join(', ')}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
