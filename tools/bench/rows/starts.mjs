import { join } from 'node:path';
import { request } from 'undici';
import { filledDirectory } from '../directories.mjs';
import { freshFolder, limits } from '../places.mjs';
import { API_KEY, Server, startService } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

async function firstAnswer(starting) {
  const server = await starting;
  const { statusCode, body } = await request(`${server.url}/v1/conversations?limit=1`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  const ms = performance.now() - server.startedAt;
  await body.dump();
  await server.stop();
  if (statusCode !== 200) throw new Error(`the first answer was ${statusCode}`);
  return ms;
}

/** Row 13: from the start of the process to its first 200, with a million events, with none, and of a bare server. */
export const starts = {
  rows: ['13'],
  modules: ['engine', 'clock', 'ids'],
  async measure({ builds, rounds }) {
    const log = join(freshFolder('bare'), 'raw.log');
    const directories = {};
    for (const build of Object.values(builds)) {
      directories[build.key] = { full: await filledDirectory(build, 'turns'), empty: freshFolder(`empty-${build.key}`) };
      await firstAnswer(startService(build, directories[build.key].empty));
    }
    const contestants = each(builds, (build) => () => start(build, directories[build.key]));
    const bare = () => firstAnswer(Server.start([join(limits, 'bare-server.mjs'), log]));
    return { 13: await interleave(rounds, { limit: async () => ({ ms: await bare() }), ...contestants }) };
  },
};

async function start(build, { full, empty }) {
  const emptyMs = await firstAnswer(startService(build, empty));
  const ms = await firstAnswer(startService(build, full));
  return { ms, seconds: ms / 1_000, emptyMs, toEmpty: ms / emptyMs };
}
