import { eventually } from '@ports/contracts/eventually';
import { setTimeout as pause } from 'node:timers/promises';
import { Metrics } from './metrics.js';

async function lagOf(metrics: Metrics, statistic: string): Promise<number> {
  const [, value] = new RegExp(`^nodejs_eventloop_lag_${statistic}_seconds (.*)$`, 'm').exec(await metrics.render()) ?? [];
  return Number(value);
}

async function wakeUpsPerSecond(): Promise<number> {
  const before = process.resourceUsage().voluntaryContextSwitches;
  await pause(1_000);
  return process.resourceUsage().voluntaryContextSwitches - before;
}

/** The least of several counts: other work of the test process only adds to them. */
async function leastWakeUpsPerSecond(): Promise<number> {
  return Math.min(await wakeUpsPerSecond(), await wakeUpsPerSecond());
}

describe('event loop lag', () => {
  // Must run first: monitors of other tests may sample at the same instants and hide the wake-ups of a new one.
  it('costs a process that has nothing to do a few wake-ups a second', async () => {
    const before = await leastWakeUpsPerSecond();
    const metrics = new Metrics();
    expect((await leastWakeUpsPerSecond()) - before).toBeLessThan(20);
    expect(await lagOf(metrics, 'max')).toBeGreaterThanOrEqual(0);
  });

  it('is how long the loop was blocked since the previous scrape', async () => {
    const metrics = new Metrics();
    await pause(700);
    const end = performance.now() + 600;
    while (performance.now() < end);
    await pause(700);
    const [longest, median] = await Promise.all(['max', 'p50'].map((statistic) => lagOf(metrics, statistic)));
    expect(longest).toBeGreaterThan(0.35);
    expect(median).toBeLessThan(0.35);
    await eventually(async () => {
      await pause(700);
      expect(await lagOf(metrics, 'max')).toBeLessThan(longest ?? 0);
    });
  });

  it('is a number of seconds though there was no sample since the previous scrape', async () => {
    const metrics = new Metrics();
    await pause(500);
    for (const _scrape of ['first', 'second']) expect(await lagOf(metrics, 'min')).toBeLessThan(60);
  });
});
