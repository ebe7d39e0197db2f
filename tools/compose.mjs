// npm run check:compose: loads docker-compose.yml with the Compose plugin's loader, and runs the Dockerfile's commands in empty
// folders. Needs Git and Go (or Python 3 with venv and PyPI), but no Docker and no image.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeChecks, projectOf } from './compose/compose-checks.mjs';
import { imageChecks } from './compose/image-checks.mjs';
import { buildLoader } from './compose/loader.mjs';
import { cleaningUp } from './launch/cleaning-up.mjs';
import { requireSupportedNode } from './launch/node-version.mjs';
import { endWithSteps, root } from './launch/run.mjs';

const tally = { passed: 0, failed: 0 };

async function check([name, run]) {
  try {
    await run();
    tally.passed += 1;
    process.stdout.write(`ok      ${name}\n`);
  } catch (error) {
    tally.failed += 1;
    process.stdout.write(`FAILED  ${name}: ${error.message}\n`);
  }
}

async function checkAll(folder) {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  let load;
  await check(['the loader of Compose files is built', async () => (load = await buildLoader(folder))]);
  if (load === undefined) return;
  for (const one of composeChecks(load, text)) await check(one);
  for (const one of imageChecks(projectOf(load, text).services, folder)) await check(one);
}

requireSupportedNode();
endWithSteps();
const folder = mkdtempSync(join(tmpdir(), 'compose-'));
// The image's user starts apps from it.
chmodSync(folder, 0o755);
await cleaningUp(
  () => checkAll(folder),
  () => rmSync(folder, { recursive: true, force: true }),
);
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
process.exitCode = tally.failed === 0 ? 0 : 1;
