// npm run test:cluster: tests on EventStoreDB, Kafka and MongoDB, the console's on three apps among them. Installs and starts each
// engine that EVENTSTORE_URL, KAFKA_BROKERS or MONGODB_URL does not name; tests that kill engines always start their own.
import { missingForTests, withEngines } from './engines/engines.mjs';
import { folderInMemory } from './launch/folder-in-memory.mjs';
import { prepare } from './launch/prepare.mjs';
import { runTests } from './launch/run-tests.mjs';
import { endWithSteps } from './launch/run.mjs';

const given = process.argv.slice(2);
/** Cluster tests, and those at scale, promise seconds, which hold only if nothing else runs: they run alone, after the others. */
const RUNS = [
  // A third worker starves the engines, which share the cores with the tests.
  ['--selectProjects', 'e2e', 'browser', 'contracts', '--maxWorkers=2'],
  ['--selectProjects', 'cluster', 'at-scale', '--maxWorkers=1'],
];
/** Given arguments select the tests, which may be timed. */
const runs =
  given.length === 0
    ? RUNS
    : [[...(given.includes('--selectProjects') ? [] : ['--ignoreProjects', 'soak', 'browser-soak']), '--maxWorkers=1', ...given]];

/** The embedded engine has them at a tenth of their size in each run; both have them whole in `npm run soak`. */
process.env.E2E_SIZE ??= '0.02';
endWithSteps();
await prepare();
const gaps = missingForTests();
if (gaps.length > 0) {
  process.stderr.write(`${gaps.join('\n')}\n`);
  process.exit(1);
}
// Tests kill processes, never the machine.
const folder = folderInMemory();
await withEngines(async (variables) => {
  Object.assign(process.env, variables, { E2E_ENGINE: 'cluster' });
  for (const args of runs)
    process.exitCode = (await runTests(['--config', 'tools/engines/jest.config.mjs', ...args], folder)) || process.exitCode;
}, folder);
