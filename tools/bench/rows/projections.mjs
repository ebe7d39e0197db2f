import { setTimeout as pause } from 'node:timers/promises';
import { Admin } from '../admin.mjs';
import { copyOf, dropCopy, unprojectedDirectory } from '../directories.mjs';
import { loadOn, runProgram, startService } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

const BACKLOG = { conversations: 60_000, withMessages: true };
const LOOK_EVERY_MS = 200;

/** Rows 11 and 12: read models catch up while writes go on, and are rebuilt from a million events. */
export const projections = {
  rows: ['11', '12'],
  modules: ['engine', 'clock', 'ids'],
  async measure(plan) {
    return { ...(plan.wants('11') && { 11: await catchUps(plan) }), ...(plan.wants('12') && { 12: await rebuilds(plan) }) };
  },
};

function catchUps({ builds, rounds, seconds }) {
  return interleave(
    Math.min(rounds, 2),
    each(builds, (build) => () => catchUp(build, seconds)),
  );
}

/** Events the slowest read model takes against events that row 3a makes, in the same seconds of the same process. */
async function catchUp(build, seconds) {
  const service = await startService(build, await unprojectedDirectory(build, BACKLOG, `backlog-${build.key}`));
  const admin = await Admin.of(service);
  const posting = loadOn(service, '/v1/messages', { kind: 'smallTalk', connections: 64, threads: 2_000, seconds, warmup: 1 });
  await pause(1_500);
  const before = await standing(admin);
  await posting;
  const after = await standing(admin);
  await service.stop();
  const [made, taken] = [after.head - before.head, after.slowest - before.slowest];
  return { made, taken, share: taken / made, stillBehind: after.slowest < after.head };
}

async function standing(admin) {
  const all = await admin.projections();
  return { head: Number(all[0].head), slowest: Math.min(...all.map(({ checkpoint }) => Number(checkpoint))) };
}

async function rebuilds({ builds, rounds, quick }) {
  const directories = {};
  const services = {};
  for (const build of Object.values(builds)) {
    directories[build.key] = await copyOf(build, 'turns');
    services[build.key] = await startService(build, directories[build.key]);
  }
  try {
    return await interleave(Math.min(rounds, quick ? 1 : 2), {
      limit: () => runProgram('read-log.mjs', { directory: directories.ours }),
      ...each(
        builds,
        ({ key }) =>
          () =>
            rebuild(services[key]),
      ),
    });
  } finally {
    for (const service of Object.values(services)) await service.stop();
    Object.values(builds).forEach((build) => dropCopy(build, 'turns'));
  }
}

/** Of all read models, until none is under way. */
async function rebuild(service) {
  const admin = await Admin.of(service);
  const all = await admin.projections();
  const from = performance.now();
  for (const { name } of all) await admin.rebuild(name);
  while ((await admin.projections()).some((one) => one.rebuild?.state === 'running')) await pause(LOOK_EVERY_MS);
  const seconds = (performance.now() - from) / 1_000;
  return { seconds, perSecond: Number(all[0].head) / seconds };
}
