import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { filledDirectory } from '../directories.mjs';
import { freshFolder, limits } from '../places.mjs';
import { API_KEY, loadOn, runProgram, Server, startService } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

const PATH = '/v1/conversations?limit=20';

/** Row 5: a page of 20 of a million rows in process, near the newest row, anywhere and near the oldest. */
export const pages = {
  rows: ['5'],
  modules: ['engine', 'clock', 'ids', 'conversations'],
  async measure({ builds, rounds }) {
    const found = await interleave(
      rounds,
      each(builds, (build) => () => readPages(build)),
    );
    return { 5: { ...found, limit: found.ours.map(({ bare }) => bare) } };
  },
};

async function readPages(build) {
  const on = async (name) => runProgram('pages.mjs', { build: build.path, directory: await filledDirectory(build, name) });
  const { ours, limit } = await on('rows');
  const few = await on('fewRows');
  const { start, middle, end } = ours;
  return { page: middle, manyToFew: start / few.ours.start, endToStart: end / start, bare: { page: limit.middle } };
}

/** Row 6: the same page over HTTP. */
export const lists = {
  rows: ['6'],
  modules: ['engine', 'clock', 'ids'],
  async measure({ builds, rounds, seconds }) {
    const services = {};
    for (const build of Object.values(builds))
      services[build.key] = await startService(build, await filledDirectory(build, 'rows'));
    const bare = await Server.start([join(limits, 'static-server.mjs'), await savedPage(services.ours)]);
    const get = (server, warmup) => loadOn(server, PATH, { kind: 'get', path: PATH, connections: 64, seconds, warmup });
    try {
      for (const service of Object.values(services)) await get(service, 2);
      const contestants = each(
        builds,
        ({ key }) =>
          () =>
            get(services[key], 0.3),
      );
      return { 6: await interleave(rounds, { limit: () => get(bare, 0.3), ...contestants }) };
    } finally {
      for (const server of [bare, ...Object.values(services)]) await server.stop();
    }
  },
};

async function savedPage(service) {
  const { body } = await request(service.url + PATH, { headers: { authorization: `Bearer ${API_KEY}` } });
  const file = join(freshFolder('page'), 'page.json');
  writeFileSync(file, await body.text());
  return file;
}
