import { percentiles } from '../rounds.mjs';

const WARM_UP_MS = 1_000;

/** So many callers of this process for so many seconds after a warm-up, each of which does one thing after the other. */
export async function callersOf({ callers, seconds }, makeCaller) {
  const latencies = [];
  const from = performance.now() + WARM_UP_MS;
  const until = from + seconds * 1_000;
  const call = async () => {
    const work = makeCaller();
    for (let before = performance.now(); before < until;) {
      await work();
      const after = performance.now();
      if (before >= from) latencies.push(after - before);
      before = after;
    }
  };
  let cpu;
  setTimeout(() => (cpu = process.cpuUsage()), WARM_UP_MS);
  await Promise.all(Array.from({ length: callers }, call));
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = (latencies.length * 1_000) / (performance.now() - from);
  return { perSecond, cpuMicros: (user + system) / latencies.length, ...percentiles(latencies) };
}
