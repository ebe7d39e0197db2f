import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { filledDirectory } from '../directories.mjs';
import { freshFolder, limits } from '../places.mjs';
import { API_KEY, loadOn, runProgram, Server, startService } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, typical } from '../rounds.mjs';

const PATH = '/v1/conversations?limit=20';

/** Rows 5 and 6: a page of 20 of a million rows, in process and over HTTP. */
export const lists = {
  rows: [5, 6],
  async measure(plan) {
    return [...(plan.wants(5) ? await inProcess(plan) : []), ...(plan.wants(6) ? await overHttp(plan) : [])];
  },
};

async function inProcess({ rounds }) {
  const pages = (name) => async () => runProgram('pages.mjs', { directory: await filledDirectory(name) });
  const { many, few } = await interleave(rounds, { many: pages('rows'), few: pages('fewRows') });
  const of = (measured, whose, where) =>
    typical(
      measured.map((each) => each[whose]),
      where,
    );
  const [ours, limit] = [of(many, 'ours', 'middle'), of(many, 'limit', 'middle')];
  const [start, end] = [of(many, 'ours', 'start'), of(many, 'ours', 'end')];
  const small = of(few, 'ours', 'start');
  const unit = 'µs';
  const flat = { unit, floor: 1.5, goal: 1.5, atMost: true };
  const figures = { ours, limit, unit, ratio: ours / limit, floor: 4, goal: 2, atMost: true };
  return [
    row(5, 'page of 20 in process, 1M rows', { ...figures, measured: { many, few } }),
    row(5, 'its newest page, 1M rows beside 10k', { ours: start, limit: small, ratio: start / small, ...flat }),
    row(5, 'the same, end of the list beside its start', { ours: end, limit: start, ratio: end / start, ...flat }),
  ];
}

async function overHttp({ rounds, seconds }) {
  const service = await startService(await filledDirectory('rows'));
  const { body } = await request(service.url + PATH, { headers: { authorization: `Bearer ${API_KEY}` } });
  const bytes = join(freshFolder('page'), 'page.json');
  writeFileSync(bytes, await body.text());
  const bare = await Server.start([join(limits, 'static-server.mjs'), bytes]);
  const get = (server, warmup) => loadOn(server, PATH, { kind: 'get', path: PATH, connections: 64, seconds, warmup });
  try {
    await get(service, 2);
    const { ours, limit } = await interleave(rounds, { limit: () => get(bare, 0.3), ours: () => get(service, 0.3) });
    const [one, other] = [typical(ours, 'perSecond'), typical(limit, 'perSecond')];
    const figures = { ours: one, limit: other, unit: '/s', ratio: one / other, floor: 0.1, goal: 0.18 };
    return [row(6, 'GET a list of 20, 1M rows', { ...figures, measured: { ours, limit } })];
  } finally {
    await service.stop();
    await bare.stop();
  }
}
