// npm run docs:openapi: writes the OpenAPI documents of both interfaces into docs/openapi, and the console's types from them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DOCUMENTED_ADDRESS, openapiFiles } from './docs/openapi-files.mjs';
import { startService } from './fuzz/gateway-process.mjs';
import { cleaningUp } from './launch/cleaning-up.mjs';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps, root } from './launch/run.mjs';

async function write(place) {
  const service = await startService(place);
  const documentAt = async (path) =>
    JSON.parse((await (await fetch(service.url + path)).text()).replaceAll(service.url, DOCUMENTED_ADDRESS));
  try {
    const documents = { client: await documentAt('/openapi.json'), admin: await documentAt('/admin/openapi.json') };
    for (const [path, text] of Object.entries(await openapiFiles(documents))) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  } finally {
    await service.stop();
  }
}

endWithSteps();
await prepare();
const place = mkdtempSync(join(tmpdir(), 'openapi-'));
await cleaningUp(
  () => write(place),
  () => rmSync(place, { recursive: true, force: true }),
);
