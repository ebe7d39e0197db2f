import { setTimeout as pause } from 'node:timers/promises';
import { lateAtMost, noDuplicates, onlyExcusedDuplicates } from './checks/deliveries.mjs';
import { nothingLeft } from './checks/operations.mjs';
import { undisturbed } from './checks/requests.mjs';
import { undisturbedWays } from './checks/ways.mjs';
import { rebuildAll } from './read-models.mjs';

/** Sweeps fail while an engine is away, or while new topics have no leaders; they are repeated. */
const FAILS_MEANWHILE = ['sweep_failures_total'];
/** Twice the promised fifteen seconds. */
const LATE_AFTER_AN_ENGINE_MS = 30_000;
/** Twice the twelve seconds until partitions of a killed process have an owner, plus 30 s for the backlog. */
const LATE_AFTER_A_PROCESS_MS = 54_000;
const say = (line) => process.stdout.write(`${line}\n`);

export const clusterLeftAlone = (ms) => ({
  trouble: () => pause(ms),
  checks: { ...undisturbed, ...undisturbedWays, ...noDuplicates, ...nothingLeft(FAILS_MEANWHILE) },
});

/** The projections are killed while they rebuild every read model. */
export const appsKilled = (times) => ({
  async trouble({ service, chance }) {
    for (let round = 1; round <= times; round++) {
      for (const [name, processes] of Object.entries(service.apps)) {
        await pause(chance.between(2_000, 5_000));
        const isRebuilding = name === 'projections';
        if (isRebuilding) {
          await rebuildAll(service);
          await pause(chance.between(100, 900));
        }
        // Which of several projections processes works is not told.
        const victims = isRebuilding ? processes : [chance.pick(processes)];
        await Promise.all(victims.map((victim) => victim.kill()));
        say(`killed ${isRebuilding ? 'every process' : 'a process'} of ${name}, round ${round}`);
        await pause(chance.between(500, 4_000));
        await Promise.all(victims.map((victim) => victim.start()));
      }
    }
    await pause(1_000);
  },
  checks: { ...onlyExcusedDuplicates, ...nothingLeft(FAILS_MEANWHILE), ...lateAtMost(LATE_AFTER_A_PROCESS_MS) },
});

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
