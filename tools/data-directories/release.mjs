import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { addressOf } from '../launch/listening.mjs';

/** Test credentials, valid only for the directories made with them. */
export const API_KEY = 'sk_data_directory_0123456789abcdef';
export const ADMIN_PASSWORD = 'correct horse battery staple';

const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  AGENT: 'scripted',
  BOOTSTRAP_API_KEY: API_KEY,
  ADMIN_PASSWORD,
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
};

/** A release that can be restarted on one data directory. */
export class Release {
  #child = null;

  constructor(main, directory) {
    this.main = main;
    this.directory = directory;
  }

  /** Resolves once the release listens. */
  async start(settings) {
    const env = { ...SETTINGS, DATA_DIR: this.directory, ...settings };
    this.#child = spawn(process.execPath, [this.main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.url = await addressOf(this.#child);
  }

  /** Ends the process gracefully. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** Kills the process without a chance to clean up. */
  kill() {
    return this.#end('SIGKILL');
  }

  /** Sends a request and returns the parts of its answer to record. Without a body no content type is sent. */
  async send(method, path, { body, key, token = API_KEY } = {}) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await fetch(this.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const shown = ['content-type', 'etag', 'location', 'request-id', 'service-should-retry'];
    const answered = shown.filter((name) => response.headers.has(name)).map((name) => [name, response.headers.get(name)]);
    return { status: response.status, headers: Object.fromEntries(answered), body: await response.text() };
  }

  async #end(signal) {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
