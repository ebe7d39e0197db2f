import { join } from 'node:path';
import { HookService, Receiver } from '../hooks.mjs';
import { freshFolder, limits } from '../places.mjs';
import { API_KEY, runProgram, Server } from '../processes.mjs';
import { interleave } from '../rounds.mjs';

const WARM_UP_SECONDS = 10;
const CONNECTIONS = 64;
const RATE = 20;
/** The last webhook leaves some 30 ms after the last command: to look seldom would be a twentieth of what is measured. */
const LOOK_CLOSELY_MS = 10;

/** Rows 8b and 9: from a command about an appointment over HTTP to its webhook. */
export const wholeWay = {
  rows: ['8b', '9'],
  async measure(plan) {
    const receiver = await Receiver.start();
    const contestants = { limit: await BareHooks.start(join(freshFolder('bare-hooks'), 'raw.log'), receiver.url('/limit')) };
    for (const build of Object.values(plan.builds)) {
      contestants[build.key] = await HookService.start(build, freshFolder(`hooks-${build.key}`));
      await contestants[build.key].register(receiver.url(`/${build.key}`));
    }
    const inTurn = (run) => {
      const entries = Object.entries(contestants).map(([name, contestant]) => [name, () => run(contestant)]);
      return interleave(plan.rounds, Object.fromEntries(entries));
    };
    try {
      for (const one of Object.values(contestants)) await rush(one, plan.quick ? 3 : WARM_UP_SECONDS);
      const found = {
        ...(plan.wants('8b') && { '8b': await inTurn((one) => rush(one, plan.seconds)) }),
        ...(plan.wants('9') && { 9: await inTurn((one) => steady(one, receiver, plan)) }),
      };
      for (const { key } of Object.values(plan.builds)) await contestants[key].expectDelivered(contestants[key].commands);
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

/** So many commands a second whatever becomes of them, and when the first byte of each webhook was at the receiver. */
async function steady(contestant, receiver, { quick }) {
  await receiver.noting(true);
  const { sent } = await live(contestant, { connections: 32, seconds: quick ? 4 : 10, rate: RATE, noting: true });
  await contestant.until(contestant.commands);
  await receiver.noting(false);
  const latencies = latenciesOf(sent, await receiver.arrivals());
  return { p50: at(latencies, 0.5), p99: at(latencies, 0.99) };
}

export const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** From sending the command on, which is a little before its append. */
export function latenciesOf(sent, arrivals) {
  const sentAt = new Map(sent);
  const latencies = arrivals.map(([, subject, arrived]) => arrived - sentAt.get(subject));
  if (latencies.length === 0 || latencies.some(Number.isNaN)) throw new Error('webhooks came that nobody had asked for');
  return latencies.sort((a, b) => a - b);
}
