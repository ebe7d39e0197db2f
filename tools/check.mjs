import { prepare } from './launch/prepare.mjs';
import { runTests } from './launch/run-tests.mjs';
import { endWithSteps, runNpm } from './launch/run.mjs';

const npmRun = (script) => () => runNpm(['run', '--silent', script]);

const steps = {
  format: npmRun('format:check'),
  lint: npmRun('lint'),
  boundaries: npmRun('boundaries'),
  unused: npmRun('unused'),
  types: npmRun('types'),
  'lock file': () => runNpm(['ci', '--dry-run', '--engine-strict', '--loglevel=error'], { output: 'ignore' }),
  build: () => prepare(),
  tests: () => runTests(process.argv.slice(2)),
};

endWithSteps();
await prepare({ toBuild: false });
for (const [name, step] of Object.entries(steps)) {
  process.stdout.write(`== ${name}\n`);
  const code = await step();
  if (!code) continue;
  process.stderr.write(`check failed at: ${name}\n`);
  process.exit(code);
}
