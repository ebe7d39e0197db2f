import { Admin } from '../client.mjs';
import { copyOf, unprojectedDirectory } from '../directories.mjs';
import { ClosedLoop } from '../load.mjs';
import { runProgram, startService, stopAll } from '../processes.mjs';
import { messages } from '../requests.mjs';
import { contest, eachBuild } from '../rounds.mjs';

const BACKLOG = { conversations: 60_000, withMessages: true };

async function standing(admin) {
  const all = await admin.projections();
  return { head: Number(all[0].head), slowest: Math.min(...all.map(({ checkpoint }) => Number(checkpoint))) };
}

/** Events that the slowest read model takes, beside those that row 3a makes in the same seconds of the same process. */
export async function catchUps(plan) {
  const catchUp = async (build) => {
    const service = await startService(build, await unprojectedDirectory(build, BACKLOG, `backlog-${build.key}`));
    const admin = await Admin.of(service);
    const posts = new ClosedLoop(service, () => messages('smallTalk'));
    await posts.run(1);
    const [before, from] = [await standing(admin), performance.now()];
    await posts.run(plan.seconds);
    const after = await standing(admin);
    const seconds = (performance.now() - from) / 1_000;
    await service.stop();
    return { perSecond: (after.slowest - before.slowest) / seconds, made: (after.head - before.head) / seconds };
  };
  const found = await contest(plan, catchUp);
  return { ...found, limit: found.ours.map(({ made }) => ({ perSecond: made })) };
}

/** All read models are rebuilt from a million events. */
export async function rebuilds(plan) {
  const directories = await eachBuild(plan, (build) => copyOf(build, 'turns'));
  const services = await eachBuild(plan, (build) => startService(build, directories[build.key]));
  const rebuild = async ({ key }) => {
    const admin = await Admin.of(services[key]);
    const all = await admin.projections();
    return { perSecond: Number(all[0].head) / (await admin.rebuild(all.map(({ name }) => name))) };
  };
  try {
    const limit = () => runProgram('read-log.mjs', { directory: directories.ours });
    return await contest(plan, rebuild, limit);
  } finally {
    await stopAll(Object.values(services));
  }
}
