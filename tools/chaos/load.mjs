import { setTimeout as pause } from 'node:timers/promises';
import { call } from './appointments.mjs';
import { phoneCall } from './calls.mjs';
import { Client } from './client.mjs';
import { ownThread, race, sharedThread } from './threads.mjs';

const WORKERS = 14;
const BREATH_MS = 90;

/** Clients that do one thing after the other until they are told that it is over; what they began they end. */
export class Load {
  isOver = false;
  troubles = [];

  constructor(service, journal, chance) {
    this.running = Array.from({ length: WORKERS }, (_, index) => {
      const client = new Client(service, journal, `c${index + 1}`);
      return this.work(client, chance.fork(), index).catch((error) => this.troubles.push(String(error)));
    });
  }

  async finish() {
    this.isOver = true;
    await Promise.all(this.running);
  }

  async work(client, chance, index) {
    const isOver = () => this.isOver;
    const breathe = () => pause(chance.between(0, 2 * BREATH_MS));
    const scenarios = [call, call, call, phoneCall, ownThread, ownThread, sharedThread, race];
    for (let round = 0; !this.isOver; round++) {
      await chance.pick(scenarios)({ client, chance, number: round * WORKERS + index, isOver, breathe });
      await breathe();
    }
  }
}
