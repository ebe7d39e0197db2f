import { setTimeout as pause } from 'node:timers/promises';
import { lateAtMost, noDuplicates, onlyExcusedDuplicates } from './checks/deliveries.mjs';
import { nothingLeft } from './checks/operations.mjs';
import { undisturbed } from './checks/requests.mjs';

/** A sweep fails while an engine is away, and while a broker that was just given topics has no leaders for them. It is made again. */
const FAILS_MEANWHILE = ['sweep_failures_total'];
/** Twice the fifteen seconds in which webhooks leave once the engine is back. */
const LATE_AFTER_AN_ENGINE_MS = 30_000;
/** Twice the twelve seconds until the partitions of a killed process are owned again, and 30 s for what has gathered meanwhile. */
const LATE_AFTER_A_PROCESS_MS = 54_000;
const say = (line) => process.stdout.write(`${line}\n`);

export const clusterLeftAlone = (ms) => ({
  trouble: () => pause(ms),
  checks: { ...undisturbed, ...noDuplicates, ...nothingLeft(FAILS_MEANWHILE) },
});

/** Kills one process of each app in turn, and starts it again some time later. */
export const appsKilled = (times) => ({
  async trouble({ service, chance }) {
    for (let round = 1; round <= times; round++) {
      for (const [name, processes] of Object.entries(service.apps)) {
        await pause(chance.between(2_000, 5_000));
        const victim = chance.pick(processes);
        await victim.kill();
        say(`killed a process of ${name}, round ${round}`);
        await pause(chance.between(500, 4_000));
        await victim.start();
      }
    }
    await pause(1_000);
  },
  checks: { ...onlyExcusedDuplicates, ...nothingLeft(FAILS_MEANWHILE), ...lateAtMost(LATE_AFTER_A_PROCESS_MS) },
});

/** Kills each engine in turn, and starts it again on its data some time later. */
export const enginesKilled = (times) => ({
  async trouble({ service, chance }) {
    for (let round = 1; round <= times; round++) {
      for (const [name, engine] of Object.entries(service.engines)) {
        await pause(chance.between(2_000, 4_000));
        const from = Date.now();
        await engine.kill();
        say(`killed ${name}, round ${round}`);
        await pause(chance.between(200, 2_500));
        await engine.restart();
        service.outages.push({ from, to: Date.now() });
      }
    }
    await pause(2_000);
  },
  checks: { ...onlyExcusedDuplicates, ...nothingLeft(FAILS_MEANWHILE), ...lateAtMost(LATE_AFTER_AN_ENGINE_MS) },
});
