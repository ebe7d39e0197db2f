import { Receiver, withOldBacklog } from '../hooks.mjs';
import { API_KEY, runProgram } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';

const FAILED = { usual: 10_000, quick: 3_000 };
const ENDPOINTS = 5;
const CONNECTIONS = 16;

/** Row 17: failed deliveries are listed and retried one by one, as the interface has it, until all have arrived. */
export const replays = {
  rows: ['17'],
  modules: ['engine', 'clock', 'ids', 'appointments', 'deliveries', 'emittedEvents'],
  async measure(plan) {
    const receiver = await Receiver.start();
    try {
      const contestants = each(plan.builds, (build) => () => replay(build, receiver, plan));
      return { 17: await interleave(plan.quick ? 1 : plan.rounds, contestants) };
    } finally {
      await receiver.stop();
    }
  },
};

async function replay(build, receiver, { quick }) {
  const count = quick ? FAILED.quick : FAILED.usual;
  const paths = Array.from({ length: ENDPOINTS }, (_, index) => `/${index}`);
  const all = (status) => receiver.answer(Object.fromEntries(paths.map((path) => [path, status])));
  await all(410);
  const service = await withOldBacklog(build, 'replays', receiver, { count, endpoints: ENDPOINTS });
  try {
    await service.until(count);
    await all(200);
    const from = performance.now();
    const cpu = service.cpuMs();
    const { replayed } = await runProgram('replays.mjs', { url: service.server.url, key: API_KEY, connections: CONNECTIONS });
    if (replayed !== count) throw new Error(`${replayed} of ${count} were replayed`);
    await service.until(2 * count);
    const seconds = (performance.now() - from) / 1_000;
    await service.expectDelivered(count);
    return { seconds, replayed, cpuMicros: ((service.cpuMs() - cpu) * 1_000) / count };
  } finally {
    await service.stop();
  }
}
