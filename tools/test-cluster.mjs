// npm run test:cluster: the tests that need EventStoreDB, Kafka and MongoDB. Installs and starts each engine that
// EVENTSTORE_URL, KAFKA_BROKERS or MONGODB_URL does not name; the tests that kill engines start their own in any case.
import { missingForTests, startEngines } from './engines/engines.mjs';
import { prepare } from './launch/prepare.mjs';
import { runTests } from './launch/run-tests.mjs';
import { endWithSteps } from './launch/run.mjs';

endWithSteps();
await prepare();
const gaps = missingForTests();
if (gaps.length > 0) {
  process.stderr.write(`${gaps.join('\n')}\n`);
  process.exit(1);
}
const engines = await startEngines();
Object.assign(process.env, engines.variables, { E2E_ENGINE: 'cluster' });
try {
  process.exitCode = await runTests(['--config', 'tools/engines/jest.config.mjs', ...process.argv.slice(2)]);
} finally {
  await engines.stop();
}
