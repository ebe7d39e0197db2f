import { setTimeout as pause } from 'node:timers/promises';
import { call } from './appointments.mjs';
import { bulkReplays } from './bulk-replays.mjs';
import { phoneCall } from './calls.mjs';
import { Client } from './client.mjs';
import { endpointLife } from './endpoints.mjs';
import { handOver, inManyWays } from './hand-offs.mjs';
import { pauses } from './pauses.mjs';
import { reconciliations } from './reconciliations.mjs';
import { replay } from './replays.mjs';
import { ownThread, race, sharedThread } from './threads.mjs';

const BREATH_MS = 90;

const ANYTHING = [call, call, call, phoneCall, ownThread, ownThread, sharedThread, race];
const WORK = [
  ...Array(14).fill(ANYTHING),
  ...Array(3).fill([endpointLife]),
  ...Array(2).fill([replay]),
  ...Array(2).fill([pauses]),
  ...Array(2).fill([bulkReplays]),
  [reconciliations],
  [inManyWays],
  [handOver],
];

/** Clients that repeat activities until `finish`, which lets each complete its present one. */
export class Load {
  isOver = false;
  troubles = [];

  constructor({ service, farm, journal, chance }) {
    this.urlOf = (...names) => farm.urlOf(...names);
    this.running = WORK.map((scenarios, index) => {
      const client = new Client(service, journal, `c${index + 1}`);
      return this.work({ client, chance: chance.fork() }, scenarios, index).catch((error) => this.troubles.push(String(error)));
    });
  }

  async finish() {
    this.isOver = true;
    await Promise.all(this.running);
  }

  async work({ client, chance }, scenarios, index) {
    const isOver = () => this.isOver;
    const breathe = () => pause(chance.between(0, 2 * BREATH_MS));
    for (let round = 0; !this.isOver; round++) {
      const number = round * WORK.length + index;
      await chance.pick(scenarios)({ client, chance, number, isOver, breathe, urlOf: this.urlOf });
      await breathe();
    }
  }
}
