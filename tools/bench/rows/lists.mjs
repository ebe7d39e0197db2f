import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from '../builds.mjs';
import { Client, textOf } from '../client.mjs';
import { deliveryLists } from '../delivery-lists.mjs';
import { filledDirectory } from '../directories.mjs';
import { ClosedLoop, loopsInTurn } from '../load.mjs';
import { API_KEY, limits, runProgram, Server, startService, stopAll } from '../processes.mjs';
import { reads } from '../requests.mjs';
import { contest, eachBuild } from '../rounds.mjs';

const PATH = '/v1/conversations?limit=20';

/** A page of 20 anywhere in a million rows, in process, beside a bare range over the same file. */
export async function pages(plan) {
  const found = await contest(plan, async (build) =>
    runProgram('pages.mjs', { build: build.path, directory: await filledDirectory(build, 'rows') }),
  );
  return { ...found, limit: found.ours.map(({ bareMicros }) => ({ micros: bareMicros })) };
}

/** The same page over HTTP. */
export async function lists(plan) {
  const services = await eachBuild(plan, async (build) => startService(build, await filledDirectory(build, 'rows')));
  const file = join(freshFolder('page'), 'page.json');
  writeFileSync(file, await textOf(services.ours.url + PATH, 'GET', { key: API_KEY }));
  const servers = { limit: await Server.start([join(limits, 'static-server.mjs'), file]), ...services };
  return loopsInTurn(plan, servers, (server) => new ClosedLoop(server, () => reads(PATH), { expect: '"data":' }));
}

/** Pages of a million deliveries, by each filter and by two. */
export async function deliveryPages(plan) {
  const services = await eachBuild(plan, async (build) => startService(build, await filledDirectory(build, 'deliveries')));
  try {
    return await deliveryLists(plan, await eachBuild(plan, ({ key }) => new Client(services[key])));
  } finally {
    await stopAll(Object.values(services));
  }
}
