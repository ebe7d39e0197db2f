import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../e2e/harness/app.js';
import { nextSlot } from '../e2e/harness/ledger.js';

const CLIENTS = 4;
const BREATH_MS = 150;
/** Of so many requests of a client, one books and the others post. */
const ONE_BOOKS_IN = 4;

/** Clients of this name that post and book at all gateways, one request after the other, and repeat with its key what got no answer. */
export class SteadyLoad {
  /** The appointments that were booked. */
  readonly booked: string[] = [];
  /** Answers that no client should get: but success, or that a killed gateway's claim on the key still holds. */
  readonly refused: string[] = [];
  posted = 0;
  private isOver = false;
  private readonly running: Promise<unknown>;

  constructor(
    private readonly gateways: readonly App[],
    private readonly name = 'load',
  ) {
    this.running = Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.run(client)));
  }

  async finish(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(client: number): Promise<void> {
    for (let round = 0; !this.isOver; round += 1) {
      const key = `${this.name}-${client}-${round}`;
      if (round % ONE_BOOKS_IN === 0) this.booked.push(await this.answered('/v1/appointments', booking(), key));
      else await this.answered('/v1/messages', { external_conversation_id: `${this.name}-${client}`, content: key }, key);
      if (round % ONE_BOOKS_IN !== 0) this.posted += 1;
      await pause(BREATH_MS);
    }
  }

  /** Posts to one gateway after the other until one accepts; resolves to the id of the message or appointment. */
  private async answered(path: string, body: object, key: string): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const gateway = this.gateways[(attempt + key.length) % this.gateways.length] as App;
      const answer = await gateway.api.post(path, body, { 'idempotency-key': key }).catch(() => null);
      if (answer && answer.status < 300) return answer.body.id;
      const code = answer?.body?.error?.code;
      if (answer && code !== 'idempotency_key_in_use') this.refused.push(`${path} ${answer.status} ${code}`);
      await pause(BREATH_MS);
    }
  }
}

const booking = () => ({ service: 'haircut', starts_at: nextSlot() });
