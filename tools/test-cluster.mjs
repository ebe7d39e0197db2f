// npm run test:cluster: the tests that need EventStoreDB, Kafka and MongoDB. Installs and starts each engine that
// EVENTSTORE_URL, KAFKA_BROKERS or MONGODB_URL does not name; the tests that kill engines start their own in any case.
import { missingForTests, withEngines } from './engines/engines.mjs';
import { prepare } from './launch/prepare.mjs';
import { runTests } from './launch/run-tests.mjs';
import { endWithSteps } from './launch/run.mjs';

const given = process.argv.slice(2);
/** Tests of the cluster promise seconds, which they keep only where nothing else runs: they follow alone. Contracts do not. */
const RUNS = [
  // A third worker starves the engines, which share the cores with the tests.
  ['--selectProjects', 'e2e', '--maxWorkers=2'],
  ['--selectProjects', 'contracts', '--maxWorkers=2'],
  ['--selectProjects', 'cluster', '--maxWorkers=1'],
];
/** What is given chooses the tests itself, and may be about seconds. */
const runs =
  given.length === 0
    ? RUNS
    : [[...(given.includes('--selectProjects') ? [] : ['--ignoreProjects', 'soak']), '--maxWorkers=1', ...given]];

endWithSteps();
await prepare();
const gaps = missingForTests();
if (gaps.length > 0) {
  process.stderr.write(`${gaps.join('\n')}\n`);
  process.exit(1);
}
await withEngines(async (variables) => {
  Object.assign(process.env, variables, { E2E_ENGINE: 'cluster' });
  for (const args of runs)
    process.exitCode = (await runTests(['--config', 'tools/engines/jest.config.mjs', ...args])) || process.exitCode;
});
