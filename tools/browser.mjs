// npm run test:browser: tests of the console in Debian's Chromium, which root installs here, on the embedded engine; npm run
// test:cluster has them on three apps. Pictures of each page are in dist/screenshots afterwards.
import { prepare } from './launch/prepare.mjs';
import { runTests } from './launch/run-tests.mjs';
import { endWithSteps } from './launch/run.mjs';

endWithSteps();
await prepare();
process.exitCode = await runTests(['--config', 'tools/browser/jest.config.mjs', ...process.argv.slice(2)]);
