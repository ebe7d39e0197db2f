import { join } from 'node:path';
import { request } from 'undici';
import { filledDirectory } from '../directories.mjs';
import { freshFolder, limits } from '../places.mjs';
import { API_KEY, Server, startService } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, typical } from '../rounds.mjs';

async function firstAnswer(starting) {
  const server = await starting;
  const { statusCode, body } = await request(`${server.url}/v1/conversations?limit=1`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  const ms = performance.now() - server.startedAt;
  await body.dump();
  await server.stop();
  if (statusCode !== 200) throw new Error(`the first answer was ${statusCode}`);
  return { ms };
}

/** Row 13: from the start of the process to its first 200, with a million events, with none, and of a bare server. */
export const starts = {
  rows: [13],
  async measure({ rounds }) {
    const full = await filledDirectory('turns');
    const empty = freshFolder('empty');
    await firstAnswer(startService(empty));
    const log = join(freshFolder('bare'), 'raw.log');
    const found = await interleave(rounds, {
      limit: () => firstAnswer(Server.start([join(limits, 'bare-server.mjs'), log])),
      empty: () => firstAnswer(startService(empty)),
      ours: () => firstAnswer(startService(full)),
    });
    const ours = typical(found.ours, 'ms');
    const against = (name, what, bounds) => {
      const limit = typical(found[name], 'ms');
      return row(13, what, { ours, limit, unit: 'ms', ratio: ours / limit, atMost: true, ...bounds });
    };
    return [
      against('limit', 'start to the first 200, 1M events', { floor: 15, goal: 8, measured: found }),
      row(13, 'the same, in seconds', {
        ours: ours / 1_000,
        limit: null,
        unit: 's',
        ratio: ours / 1_000,
        floor: 3,
        goal: null,
        atMost: true,
      }),
      against('empty', 'the same, beside an empty directory', { floor: null, goal: 1.2 }),
    ];
  },
};
