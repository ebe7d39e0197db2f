import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleaningUp } from './cleaning-up.mjs';
import { runScript } from './run.mjs';

/** A suite that failed to load has no tests, so it counts as one failure. */
function tally(report) {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/**
 * Runs Jest, prints the tally as the last line, and resolves to the exit code. Removes temporary files, even of interrupted tests.
 * @param within the folder of those files
 */
export async function runTests(jestArguments, within = tmpdir()) {
  const folder = mkdtempSync(join(within, 'tests-'));
  const report = join(folder, 'report.json');
  const cache = join(tmpdir(), `jest-${process.getuid?.() ?? 'cache'}`);
  const options = ['--json', `--outputFile=${report}`, `--cacheDirectory=${cache}`];
  const testing = async () => {
    const env = { ...process.env, TMPDIR: folder };
    const code = await runScript('node_modules/jest/bin/jest.js', [...jestArguments, ...options], { env });
    const { passed, failed } = tally(report);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return code === 0 && failed > 0 ? 1 : code;
  };
  return cleaningUp(testing, () => rmSync(folder, { recursive: true, force: true }));
}
