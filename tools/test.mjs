import { prepare } from './prepare.mjs';
import { runTests } from './run-tests.mjs';
import { endWithSteps } from './run.mjs';

endWithSteps();
await prepare();
process.exitCode = await runTests(process.argv.slice(2));
