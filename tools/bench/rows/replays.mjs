import { Receiver, withOldBacklog } from '../hooks.mjs';
import { API_KEY, runProgram } from '../processes.mjs';
import { row } from '../results.mjs';
import { typical } from '../rounds.mjs';

const FAILED = { usual: 10_000, quick: 3_000 };
const ENDPOINTS = 5;
const CONNECTIONS = 16;

/** Row 17: failed deliveries are listed and retried one by one, as the interface has it, until all have arrived. */
export const replays = {
  rows: [17],
  async measure(plan) {
    const receiver = await Receiver.start();
    const measured = [];
    try {
      for (let round = 0; round < (plan.quick ? 1 : plan.rounds); round += 1) measured.push(await replay(receiver, plan));
    } finally {
      await receiver.stop();
    }
    const seconds = typical(measured, 'seconds');
    const figures = { ours: seconds, limit: null, unit: 's', ratio: seconds, floor: 120, goal: 60, atMost: true, measured };
    return [row(17, `bulk replay of ${measured[0].replayed.toLocaleString('en')} failed deliveries (s)`, figures)];
  },
};

async function replay(receiver, { quick }) {
  const count = quick ? FAILED.quick : FAILED.usual;
  const paths = Array.from({ length: ENDPOINTS }, (_, index) => `/${index}`);
  const all = (status) => receiver.answer(Object.fromEntries(paths.map((path) => [path, status])));
  await all(410);
  const service = await withOldBacklog('replays', receiver, { count, endpoints: ENDPOINTS });
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
