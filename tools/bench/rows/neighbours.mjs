import { freshFolder } from '../builds.mjs';
import { Client } from '../client.mjs';
import { firstBytes, Receiver } from '../hooks.mjs';
import { startService, stopAll } from '../processes.mjs';
import { contest, eachBuild } from '../rounds.mjs';

const ENDPOINTS = 50;
const FIRST = '/0';

function live([service, receiver], seconds) {
  return firstBytes(service, receiver, { rate: 6, seconds, endpoints: ENDPOINTS - 1, except: FIRST });
}

/** A service with fifty endpoints, of which the first answers after so long. */
async function started(build, afterMs) {
  const receiver = await Receiver.start();
  const service = await startService(build, freshFolder(`neighbours-${afterMs}-${build.key}`));
  for (let index = 0; index < ENDPOINTS; index += 1) await new Client(service).register(`${receiver.url}/${index}`);
  await receiver.answer({ [FIRST]: { afterMs } });
  await live([service, receiver], 5);
  return [service, receiver];
}

/** One endpoint of fifty takes connections and never answers: latencies of the others, beside a service that has none such. */
export async function neighbours(plan) {
  const ill = await eachBuild(plan, (build) => started(build, 3_600_000));
  const well = await started(plan.builds[0], 0);
  const seconds = plan.quick ? 5 : 12;
  const limit = () => live(well, seconds);
  try {
    return await contest(plan, ({ key }) => live(ill[key], seconds), limit);
  } finally {
    await stopAll([...well, ...Object.values(ill).flat()]);
  }
}
