// npm run test:clients: generates clients from the OpenAPI document in its users' languages, compiles them, and calls the service
// with some. Needs Java with Maven, Python with venv, and their registries.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from './clients/generator.mjs';
import { checkGoClient } from './clients/go-client.mjs';
import { lint } from './clients/lint.mjs';
import { checkMavenClients } from './clients/maven-clients.mjs';
import { checkPythonClient, checkPythonExamples } from './clients/python-client.mjs';
import { clientGaps } from './clients/requirements.mjs';
import { checkTypescriptClient } from './clients/typescript-client.mjs';
import { VERSIONS } from './clients/versions.mjs';
import { startService } from './fuzz/gateway-process.mjs';
import { cleaningUp } from './launch/cleaning-up.mjs';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const tally = { passed: 0, failed: 0 };

async function check(name, run) {
  try {
    await run();
    tally.passed += 1;
    process.stdout.write(`ok      ${name}\n`);
    return true;
  } catch (error) {
    tally.failed += 1;
    process.stdout.write(`FAILED  ${name}: ${error.message}\n`);
    return false;
  }
}

async function checkAll(place, service) {
  const document = join(place, 'openapi.json');
  writeFileSync(document, await (await fetch(`${service.url}/openapi.json`)).text());
  const [folder, formerFolder] = [mkdtempSync(join(place, 'now-')), mkdtempSync(join(place, 'former-'))];
  const generators = ['java', 'kotlin', 'go', 'python', 'typescript-fetch'];
  await check('the linter has nothing to complain of', () => lint(document));
  const isGenerated =
    (await check('the generator takes the document', () => generate(VERSIONS.generator, document, folder, generators))) &&
    (await check('the older generator takes it', () => generate(VERSIONS.formerGenerator, document, formerFolder, ['java'])));
  if (!isGenerated) return;
  const client = { document, folder, formerFolder, service };
  const others = [checkPythonClient, checkGoClient, checkTypescriptClient];
  await Promise.all([
    checkMavenClients(check, client),
    others.reduce((before, checkOne) => before.then(() => checkOne(check, client)), Promise.resolve()),
  ]);
}

async function main(place) {
  const service = await startService(join(place, 'data'));
  try {
    await checkAll(place, service);
    await checkPythonExamples(check);
    await check('the service logs no error', () => {
      const [line] = service.serverErrors();
      if (line !== undefined) throw new Error(line);
    });
  } finally {
    await service.stop();
  }
}

endWithSteps(1);
const gaps = clientGaps();
if (gaps.length > 0) {
  process.stderr.write(gaps.map((gap) => `The generated clients cannot be tested: ${gap}.\n`).join(''));
  process.exit(1);
}
await prepare();
const place = mkdtempSync(join(tmpdir(), 'clients-'));
await cleaningUp(
  () => main(place),
  () => rmSync(place, { recursive: true, force: true }),
);
process.stdout.write(`${tally.passed} passed, ${tally.failed} failed\n`);
process.exitCode = tally.failed === 0 ? 0 : 1;
