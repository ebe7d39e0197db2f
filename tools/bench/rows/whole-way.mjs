import { join } from 'node:path';
import { HookService, Receiver } from '../hooks.mjs';
import { freshFolder, limits } from '../places.mjs';
import { API_KEY, runProgram, Server } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, median, typical } from '../rounds.mjs';

const WARM_UP_SECONDS = 10;
const CONNECTIONS = 64;
const RATE = 20;
/** The last webhook leaves some 30 ms after the last command: to look seldom would be a twentieth of what is measured. */
const LOOK_CLOSELY_MS = 10;

/** Rows 8b and 9: from a command about an appointment over HTTP to its webhook. */
export const wholeWay = {
  rows: ['8b', 9],
  async measure(plan) {
    const receiver = await Receiver.start();
    const contestants = {
      limit: await BareHooks.start(join(freshFolder('bare-hooks'), 'raw.log'), receiver.url('/limit')),
      ours: await HookService.start(freshFolder('hooks')),
    };
    const { ours } = contestants;
    try {
      await ours.register(receiver.url('/ours'));
      for (const one of Object.values(contestants)) await rush(one, plan.quick ? 3 : WARM_UP_SECONDS);
      const found = [
        ...(plan.wants('8b') ? await rushed(plan, contestants) : []),
        ...(plan.wants(9) ? await steady(plan, contestants, receiver) : []),
      ];
      await ours.expectDelivered(ours.commands);
      return found;
    } finally {
      for (const one of Object.values(contestants)) await one.stop();
      await receiver.stop();
    }
  },
};

/** The limit, seen as a service. */
class BareHooks {
  static async start(...args) {
    const bare = new BareHooks();
    bare.server = await Server.start([join(limits, 'bare-hooks.mjs'), ...args]);
    return bare;
  }

  async settled() {
    return Number(await (await fetch(`${this.server.url}/metrics`)).text());
  }

  until = HookService.prototype.until;
  cpuMs = HookService.prototype.cpuMs;
  stop = HookService.prototype.stop;
}

async function live(contestant, task) {
  const found = await runProgram('lives.mjs', { url: contestant.server.url, key: API_KEY, ...task });
  contestant.commands = (contestant.commands ?? 0) + found.commands;
  return found;
}

/** As fast as the answers come; over when the outcome of the last delivery is stored. */
async function rush(contestant, seconds) {
  const cpu = contestant.cpuMs();
  const from = performance.now();
  const { commands, perSecond: taken, p99 } = await live(contestant, { connections: CONNECTIONS, seconds });
  await contestant.until(contestant.commands, { lookEveryMs: LOOK_CLOSELY_MS });
  const elapsed = (performance.now() - from) / 1_000;
  return { perSecond: commands / elapsed, cpuMicros: ((contestant.cpuMs() - cpu) * 1_000) / commands, taken, p99 };
}

async function rushed({ rounds, seconds }, { limit, ours }) {
  const found = await interleave(rounds, { limit: () => rush(limit, seconds), ours: () => rush(ours, seconds) });
  const figures = (figure, unit) => {
    const [one, other] = [typical(found.ours, figure), typical(found.limit, figure)];
    return { ours: one, limit: other, unit, ratio: one / other };
  };
  const cpu = figures('cpuMicros', 'µs');
  return [
    row('8b', 'whole way, command to stored outcome', { ...figures('perSecond', '/s'), floor: 0.2, goal: 0.4, measured: found }),
    row('8b', 'the same, processor time per event', { ...cpu, ratio: cpu.ours, floor: 900, goal: 400, atMost: true }),
  ];
}

async function steady({ rounds, quick }, { limit, ours }, receiver) {
  const seconds = quick ? 4 : 10;
  const pace = (contestant) => async () => {
    await receiver.noting(true);
    const { sent } = await live(contestant, { connections: 32, seconds, rate: RATE, noting: true });
    await contestant.until(contestant.commands);
    await receiver.noting(false);
    return { latencies: latenciesOf(sent, await receiver.arrivals()) };
  };
  const found = await interleave(rounds, { limit: pace(limit), ours: pace(ours) });
  const figures = (share) => {
    const of = (measured) => median(measured.map(({ latencies }) => at(latencies, share)));
    return { ours: of(found.ours), limit: of(found.limit), unit: 'ms', ratio: of(found.ours), atMost: true };
  };
  return [
    row(9, 'command to first byte at the receiver, 20/s, p50 (ms)', { ...figures(0.5), floor: 10, goal: 3 }),
    row(9, 'the same, p99 (ms)', { ...figures(0.99), floor: 50, goal: 10 }),
  ];
}

export const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** From sending the command on, which is a little before its append. */
export function latenciesOf(sent, arrivals) {
  const sentAt = new Map(sent);
  const latencies = arrivals.map(([, subject, arrived]) => arrived - sentAt.get(subject));
  if (latencies.length === 0 || latencies.some(Number.isNaN)) throw new Error('webhooks came that nobody had asked for');
  return latencies.sort((a, b) => a - b);
}
