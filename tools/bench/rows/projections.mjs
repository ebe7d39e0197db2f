import { setTimeout as pause } from 'node:timers/promises';
import { Admin } from '../admin.mjs';
import { copyOf, unprojectedDirectory } from '../directories.mjs';
import { freshFolder } from '../places.mjs';
import { loadOn, runProgram, startService } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, median } from '../rounds.mjs';

const BACKLOG = { conversations: 60_000, withMessages: true };
const LOOK_EVERY_MS = 200;

/** Rows 11 and 12: read models catch up while writes go on, and are rebuilt from a million events. */
export const projections = {
  rows: [11, 12],
  async measure(plan) {
    return [...(plan.wants(11) ? await catchUp(plan) : []), ...(plan.wants(12) ? await rebuild(plan) : [])];
  },
};

/** Events the slowest read model takes against events that row 3 makes, in the same seconds of the same process. */
async function catchUp({ rounds, seconds }) {
  const measured = [];
  for (let round = 0; round < Math.min(rounds, 2); round++) {
    const service = await startService(await unprojectedDirectory(BACKLOG, 'backlog'));
    const admin = await Admin.of(service);
    const posting = loadOn(service, '/v1/messages', { kind: 'message', connections: 64, threads: 2_000, seconds, warmup: 1 });
    await pause(1_500);
    const before = await standing(admin);
    await posting;
    const after = await standing(admin);
    measured.push({
      made: after.head - before.head,
      taken: after.slowest - before.slowest,
      stillBehind: after.slowest < after.head,
    });
    await service.stop();
  }
  const figure = (pick) => median(measured.map(pick));
  const [ours, limit] = [figure(({ taken }) => taken), figure(({ made }) => made)];
  const ratio = figure(({ made, taken }) => taken / made);
  const figures = { ours, limit, unit: 'events', ratio, floor: 1, goal: 1.3, measured };
  return [row(11, 'events projected beside events made by row 3', figures)];
}

async function standing(admin) {
  const all = await admin.projections();
  return { head: Number(all[0].head), slowest: Math.min(...all.map(({ checkpoint }) => Number(checkpoint))) };
}

async function rebuild({ rounds, quick }) {
  const directory = await copyOf('turns');
  const service = await startService(directory);
  const admin = await Admin.of(service);
  const once = async () => {
    const from = performance.now();
    const names = (await admin.projections()).map(({ name }) => name);
    for (const name of names) await admin.rebuild(name);
    while ((await admin.projections()).some((one) => one.rebuild?.state === 'running')) await pause(LOOK_EVERY_MS);
    return { seconds: (performance.now() - from) / 1_000 };
  };
  try {
    const { ours, limit } = await interleave(Math.min(rounds, quick ? 1 : 2), {
      limit: () => runProgram('read-log.mjs', { directory }),
      ours: once,
    });
    const [{ events }] = limit;
    const perSecond = (measured) => events / median(measured.map(({ seconds }) => seconds));
    const [one, other] = [perSecond(ours), perSecond(limit)];
    const figures = { ours: one, limit: other, unit: 'events/s', ratio: one / other, floor: 0.06, goal: 0.12 };
    return [row(12, 'rebuild of all read models, 1M events', { ...figures, measured: { ours, limit } })];
  } finally {
    await service.stop();
    freshFolder('copy-turns');
  }
}
