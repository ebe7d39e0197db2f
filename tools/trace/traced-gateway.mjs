import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jsonOf } from '../launch/json-answer.mjs';
import { addressOf } from '../launch/listening.mjs';

const MESSAGE = { external_conversation_id: 'trace', content: 'When are you open?', customer: { phone: '+14155550100' } };
/** For read models and reactors to process earlier posts. */
const QUIET_MS = 1_000;

/** The unbundled service, one module per source file, on its own data directory; counts function calls. */
export class TracedGateway {
  #folder = mkdtempSync(join(tmpdir(), 'trace-'));
  #apiKey = `sk_${randomBytes(24).toString('hex')}`;
  #child;
  #url;

  /** @param {string} built the folder of the compiled gateway */
  static async start(built) {
    const gateway = new TracedGateway();
    gateway.#child = gateway.#spawn(join(built, 'apps/gateway/src/main.js'));
    gateway.#url = await addressOf(gateway.#child);
    return gateway;
  }

  #spawn(main) {
    const settings = { AGENT: 'scripted', HOST: '127.0.0.1', PORT: '0', RATE_LIMIT_MESSAGES: '0' };
    const env = { ...process.env, ...settings, DATA_DIR: this.#folder, BOOTSTRAP_API_KEY: this.#apiKey };
    const preload = `--import=${new URL('call-counts.mjs', import.meta.url)}`;
    return spawn(process.execPath, [preload, main], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  }

  /** Under a new Idempotency-Key. The first post creates conversation and customer. */
  async post() {
    const answer = await fetch(`${this.#url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(MESSAGE),
    });
    const body = await jsonOf(answer);
    if (!answer.ok) throw new Error(`The message was refused: ${JSON.stringify(body)}`);
  }

  async callsOfOnePost() {
    await pause(QUIET_MS);
    await this.#calls();
    await this.post();
    return this.#calls();
  }

  async #calls() {
    this.#child.send('calls');
    const [scripts] = await once(this.#child, 'message');
    return scripts;
  }

  async stop() {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
