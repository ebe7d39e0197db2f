import { setTimeout as pause } from 'node:timers/promises';
import { HookService, Receiver } from '../hooks.mjs';
import { freshFolder } from '../places.mjs';
import { API_KEY, runProgram } from '../processes.mjs';
import { each, interleave } from '../rounds.mjs';
import { at, latenciesOf } from './whole-way.mjs';

const ENDPOINTS = 50;
const DEAD = '/0';
const RATE = 6;
const WARM_UP_SECONDS = 5;
const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 60_000;

/** Row 10: one endpoint of fifty takes connections and never answers; the others get every event meanwhile. */
export const neighbours = {
  rows: ['10'],
  async measure({ builds, rounds, quick }) {
    const pairs = {};
    try {
      for (const build of Object.values(builds)) pairs[build.key] = await Pair.start(build);
      const seconds = quick ? 5 : 12;
      return {
        10: await interleave(
          rounds,
          each(
            builds,
            ({ key }) =>
              () =>
                pairs[key].compare(seconds),
          ),
        ),
      };
    } finally {
      for (const pair of Object.values(pairs)) await pair.stop();
    }
  },
};

/** Two services of one build with the same endpoints, all well or one of them ill. */
class Pair {
  receivers = {};
  services = {};

  static async start(build) {
    const pair = new Pair();
    for (const name of ['well', 'ill']) {
      pair.receivers[name] = await Receiver.start();
      pair.services[name] = await started(build, name, pair.receivers[name]);
    }
    await pair.receivers.ill.answer({ [DEAD]: 'hang' });
    for (const name of ['well', 'ill']) await pair.live(name, WARM_UP_SECONDS);
    return pair;
  }

  live(name, seconds) {
    return live(this.services[name], this.receivers[name], seconds);
  }

  async compare(seconds) {
    const [well, ill] = [await this.live('well', seconds), await this.live('ill', seconds)];
    return { p50: ill.p50 / well.p50, p99: ill.p99 / well.p99, well, ill };
  }

  async stop() {
    for (const one of [...Object.values(this.services), ...Object.values(this.receivers)]) await one.stop();
  }
}

async function started(build, name, receiver) {
  const service = await HookService.start(build, freshFolder(`neighbours-${name}-${build.key}`));
  for (let index = 0; index < ENDPOINTS; index += 1) await service.register(receiver.url(`/${index}`));
  return service;
}

async function live(service, receiver, seconds) {
  await receiver.noting(true);
  const task = { connections: 32, seconds, rate: RATE, noting: true };
  const { sent } = await runProgram('lives.mjs', { url: service.server.url, key: API_KEY, ...task });
  const arrivals = await arrivalsOfOthers(receiver, sent.length * (ENDPOINTS - 1));
  await receiver.noting(false);
  const known = new Set(sent.map(([subject]) => subject));
  const latencies = latenciesOf(
    sent,
    arrivals.filter(([, subject]) => known.has(subject)),
  );
  return { p50: at(latencies, 0.5), p99: at(latencies, 0.99), deliveries: latencies.length };
}

async function arrivalsOfOthers(receiver, count) {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const arrivals = [];
  while (arrivals.length < count) {
    if (performance.now() > giveUpAt) throw new Error(`${arrivals.length} of ${count} deliveries came`);
    arrivals.push(...(await receiver.arrivals()).filter(([path]) => path !== DEAD));
    await pause(LOOK_EVERY_MS);
  }
  return arrivals;
}
