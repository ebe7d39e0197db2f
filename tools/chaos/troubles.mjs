import { setTimeout as pause } from 'node:timers/promises';
import { fewDuplicates, noDuplicates } from './checks/deliveries.mjs';
import { undisturbed } from './checks/requests.mjs';
import { undisturbedWays } from './checks/ways.mjs';

const MAX_DUPLICATES = 0.005;
const MIN_POSTS_BETWEEN_KILLS = 30;
const MAX_POSTS_BETWEEN_KILLS = 3_000;
const MAX_BETWEEN_KILLS_MS = 20_000;
const LOOKED_EVERY_MS = 10;
const MAX_AFTER_MS = 40;
const say = (line) => process.stdout.write(`${line}\n`);

export const leftAlone = (ms) => ({
  trouble: () => pause(ms),
  checks: { ...undisturbed, ...undisturbedWays, ...noDuplicates },
});

/** Graceful restarts finish work in progress, so no receiver gets a duplicate. */
export const restarted = (times) => ({
  async trouble({ service, chance }) {
    for (let left = times; left > 0; left--) {
      await pause(chance.between(500, 2_500));
      const code = await service.stop();
      if (code !== 0) service.mishaps.push(`ended with ${code} when asked to`);
      await service.start();
    }
    await pause(1_000);
  },
  checks: noDuplicates,
});

/** Kills at random: before the first start completes, during starts, and while serving. */
export const killed = (times) => ({
  async before({ service, chance }) {
    await killWhileStarting(service, chance);
    await killWhileStarting(service, chance);
  },
  async trouble({ service, farm, chance }) {
    const turn = chance.between(0, times - 1);
    for (let kill = 1; kill <= times; kill++) {
      if (chance.happens(0.15)) await killWhileStarting(service, chance);
      else await killWhileServing(service, farm, chance, ((kill + turn) % times) / times, 1 / times);
      if (kill % 10 === 0) say(`killed ${kill} of ${times} times`);
    }
    if (!service.isRunning) await service.start();
    await pause(1_000);
  },
  checks: fewDuplicates(MAX_DUPLICATES),
});

async function killWhileStarting(service, chance) {
  if (service.isRunning) await service.kill();
  void service.start();
  await pause(chance.between(20, 900));
  await service.kill();
}

/**
 * Kills after a number of POSTs, not seconds: so the share of interrupted POSTs does not depend on the machine's speed. Each kill
 * draws from a part of the range, so that few kills are as far apart on average as many.
 */
async function killWhileServing(service, farm, chance, from, part) {
  if (!service.isRunning) await service.start();
  const enough = farm.received + chance.between(postsAt(from), postsAt(from + part));
  const latest = performance.now() + MAX_BETWEEN_KILLS_MS;
  while (farm.received < enough && performance.now() < latest) await pause(LOOKED_EVERY_MS);
  await pause(chance.between(0, MAX_AFTER_MS));
  await service.kill();
}

function postsAt(share) {
  return Math.round(MIN_POSTS_BETWEEN_KILLS + share * (MAX_POSTS_BETWEEN_KILLS - MIN_POSTS_BETWEEN_KILLS));
}
