import { setTimeout as pause } from 'node:timers/promises';
import { startEventStoreDb } from '../engines/eventstoredb/eventstoredb.mjs';
import { lateAtMost, onlyExcusedDuplicates } from './checks/deliveries.mjs';
import { nothingLeft } from './checks/operations.mjs';

const NODES = 3;
/** Sweeps fail while the log is away, and are repeated. */
const FAILS_MEANWHILE = ['sweep_failures_total'];
/** Twice the promised fifteen seconds. */
const LATE_MS = 30_000;
/** Twice the five seconds promised after an election, because of the load. */
const WELL_WITHIN_MS = 10_000;
const LOOKING_EVERY_MS = 50;
/** Other nodes meanwhile: the leader left knows its state, has not noticed, or is gone too. */
const LEFT = ['unknown', 'follower', 'gone'];
const AWAY = ['gone', 'silent'];
const say = (line) => process.stdout.write(`${line}\n`);

/** Takes the leader's majority away, and seconds later has another node elected. */
export const leaderless = (times) => ({
  needs: { engines: { EventStoreDB: (options) => startEventStoreDb({ ...options, nodes: NODES }) } },
  async trouble({ service, chance }) {
    const nodes = (states) => service.engines.EventStoreDB.ask('nodes', states);
    let leader = 0;
    for (let round = 1; round <= times; round++) {
      await pause(chance.between(1_500, 4_000));
      const from = Date.now();
      const others = Array.from({ length: NODES }, (_, node) => node).filter((node) => node !== leader);
      // A leader without majority refuses calls before its connections end.
      await nodes(statesOf({ [leader]: 'unknown' }, () => 'gone'));
      await pause(chance.between(0, 1_500));
      const left = chance.pick(others);
      await nodes(statesOf({ [left]: chance.pick(LEFT) }, () => chance.pick(AWAY)));
      await pause(chance.between(2_000, 16_000));
      leader = chance.pick(others);
      await nodes(statesOf({ [leader]: 'leader' }, () => chance.pick(['follower', 'gone'])));
      service.outages.push({ from, to: Date.now() });
      const ms = await wellAgain(service);
      say(`no leader for ${((Date.now() - ms - from) / 1_000).toFixed(1)} s, well ${ms} ms after the new one, round ${round}`);
      if (ms > WELL_WITHIN_MS) service.late.push(`it took ${ms} ms until all was well after round ${round}`);
    }
    await pause(2_000);
  },
  checks: { ...onlyExcusedDuplicates, ...nothingLeft(FAILS_MEANWHILE), ...lateAtMost(LATE_MS) },
});

const statesOf = (known, other) => Array.from({ length: NODES }, (_, node) => known[node] ?? other());

async function wellAgain({ processes }) {
  const begun = Date.now();
  for (const process of processes.filter(({ isDown }) => !isDown)) {
    const url = await process.address();
    while (!(await isReady(url)) && Date.now() - begun < 3 * WELL_WITHIN_MS) await pause(LOOKING_EVERY_MS);
  }
  return Date.now() - begun;
}

const isReady = (url) =>
  fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
