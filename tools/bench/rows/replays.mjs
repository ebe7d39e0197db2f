import { freshFolder } from '../builds.mjs';
import { Client, until } from '../client.mjs';
import { book, firstBytes, Receiver, settledIn } from '../hooks.mjs';
import { startService } from '../processes.mjs';
import { contest } from '../rounds.mjs';

const FAILED = '/failed';
/** Beside the one that had failed. */
const OTHERS = 5;
/** The most that a task may. */
const PER_SECOND = 500;
const LIVE = { rate: 20, endpoints: OTHERS, except: FAILED };
const WARM_UP_S = 5;

/** Failed deliveries are replayed by a task, while other endpoints get what is booked; and those before, without it. */
export async function replays(plan) {
  const receiver = await Receiver.start();
  try {
    const found = await contest(plan, (build) => replay(build, receiver, plan.quick ? 3_000 : 10_000));
    return { ...found, limit: found.ours.map(({ withoutP99 }) => ({ p99: withoutP99 })) };
  } finally {
    await receiver.stop();
  }
}

async function replay(build, receiver, count) {
  const service = await startService(build, freshFolder(`replays-${build.key}`));
  const client = new Client(service);
  const failed = await client.register(receiver.url + FAILED);
  await receiver.answer({ [FAILED]: { status: 410 } });
  await book(service, [client], count);
  await until(async () => (await settledIn([service])) >= count);
  await receiver.answer({ [FAILED]: {} });
  for (let index = 0; index < OTHERS; index += 1) await client.register(`${receiver.url}/${index}`);
  // Over before the task is.
  const seconds = Math.floor((0.8 * count) / PER_SECOND);
  await firstBytes(client, receiver, { ...LIVE, seconds: WARM_UP_S });
  const { p99: withoutP99 } = await firstBytes(client, receiver, { ...LIVE, seconds });
  const from = performance.now();
  await client.ask('POST', '/v1/deliveries/retry', { endpoint_id: failed.id, per_second: PER_SECOND });
  const live = LIVE.rate * (WARM_UP_S + 2 * seconds) * (1 + OTHERS);
  const [replayed, { p99 }] = await Promise.all([
    secondsUntil(service, 2 * count + live, from),
    firstBytes(client, receiver, { ...LIVE, seconds }),
  ]);
  await service.stop();
  return { seconds: replayed, p99, withoutP99 };
}

async function secondsUntil(service, settled, from) {
  await until(async () => (await settledIn([service])) >= settled);
  return (performance.now() - from) / 1_000;
}
