import { prepare } from './launch/prepare.mjs';
import { runTests } from './launch/run-tests.mjs';
import { endWithSteps } from './launch/run.mjs';

endWithSteps();
await prepare();
process.exitCode = await runTests(process.argv.slice(2));
