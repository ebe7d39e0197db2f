import { setTimeout as pause } from 'node:timers/promises';
import { fewDuplicates, noDuplicates } from './checks/deliveries.mjs';
import { undisturbed } from './checks/requests.mjs';

const MOST_DUPLICATES = 0.005;
const MOST_POSTS_BETWEEN_KILLS = 3_000;
const LONGEST_BETWEEN_KILLS_MS = 20_000;
const LOOKED_EVERY_MS = 10;
const LONGEST_AFTER_MS = 40;
const say = (line) => process.stdout.write(`${line}\n`);

export const leftAlone = (ms) => ({
  trouble: () => pause(ms),
  checks: { ...undisturbed, ...noDuplicates },
});

/** Asked to end, again and again: what is under way is finished, so nobody sees anything twice. */
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

/** Killed at any moment: before it ever served, while it starts, while it serves. */
export const killed = (times) => ({
  async before({ service, chance }) {
    await killWhileStarting(service, chance);
    await killWhileStarting(service, chance);
  },
  async trouble({ service, farm, chance }) {
    for (let kill = 1; kill <= times; kill++) {
      if (chance.happens(0.15)) await killWhileStarting(service, chance);
      else await killWhileServing(service, farm, chance);
      if (kill % 10 === 0) say(`killed ${kill} of ${times} times`);
    }
    if (!service.isRunning) await service.start();
    await pause(1_000);
  },
  checks: fewDuplicates(MOST_DUPLICATES),
});

async function killWhileStarting(service, chance) {
  if (service.isRunning) await service.kill();
  void service.start();
  await pause(chance.between(20, 900));
  await service.kill();
}

/**
 * After a number of POSTs, not of seconds: a kill cuts off what is under way, which is as much on a slow machine as on a
 * fast one, and the share of all POSTs that this makes must not depend on the machine.
 */
async function killWhileServing(service, farm, chance) {
  if (!service.isRunning) await service.start();
  const enough = farm.received + chance.between(30, MOST_POSTS_BETWEEN_KILLS);
  const latest = performance.now() + LONGEST_BETWEEN_KILLS_MS;
  while (farm.received < enough && performance.now() < latest) await pause(LOOKED_EVERY_MS);
  await pause(chance.between(0, LONGEST_AFTER_MS));
  await service.kill();
}
