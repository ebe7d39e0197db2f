import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleaningUp } from './cleaning-up.mjs';
import { runScript } from './run.mjs';

/** Counts the results. A suite that failed to load has no tests, so it counts as one failure. */
function tally(report) {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Runs Jest, prints the tally as the last line, and resolves to the exit code. */
export async function runTests(jestArguments) {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const report = join(folder, 'report.json');
  const testing = async () => {
    const code = await runScript('node_modules/jest/bin/jest.js', [...jestArguments, '--json', `--outputFile=${report}`]);
    const { passed, failed } = tally(report);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return code === 0 && failed > 0 ? 1 : code;
  };
  return cleaningUp(testing, () => rmSync(folder, { recursive: true, force: true }));
}
