import { setTimeout as pause } from 'node:timers/promises';
import { HookService, Receiver } from '../hooks.mjs';
import { freshFolder } from '../places.mjs';
import { API_KEY, runProgram } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, typical } from '../rounds.mjs';
import { at, latenciesOf } from './whole-way.mjs';

const ENDPOINTS = 50;
const DEAD = '/0';
const RATE = 6;
const WARM_UP_SECONDS = 5;
const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 60_000;

/** Row 10: one endpoint of fifty takes connections and never answers; the others get every event meanwhile. */
export const neighbours = {
  rows: [10],
  async measure({ rounds, quick }) {
    const receivers = { well: await Receiver.start(), ill: await Receiver.start() };
    await receivers.ill.answer({ [DEAD]: 'hang' });
    const services = {};
    try {
      for (const [name, receiver] of Object.entries(receivers)) services[name] = await started(name, receiver);
      const pace = (name, seconds) => live(services[name], receivers[name], seconds);
      for (const name of Object.keys(services)) await pace(name, WARM_UP_SECONDS);
      const seconds = quick ? 5 : 12;
      const { well, ill } = await interleave(rounds, { well: () => pace('well', seconds), ill: () => pace('ill', seconds) });
      return [...rowsOf(ill, well, 'p99', { floor: 1.25, goal: 1.1 }), ...rowsOf(ill, well, 'p50', { floor: null, goal: null })];
    } finally {
      for (const one of [...Object.values(services), ...Object.values(receivers)]) await one.stop();
    }
  },
};

async function started(name, receiver) {
  const service = await HookService.start(freshFolder(`neighbours-${name}`));
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

function rowsOf(ill, well, figure, bounds) {
  const [one, other] = [typical(ill, figure), typical(well, figure)];
  const figures = { ours: one, limit: other, unit: 'ms', ratio: one / other, atMost: true, ...bounds };
  return [row(10, `49 endpoints while the fiftieth hangs, ${figure}, beside all well`, { ...figures, measured: { ill, well } })];
}
