import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addressOf } from '../launch/listening.mjs';

export const API_KEY = 'sk_chaos_0123456789abcdefghijklmnop';
export const ADMIN_PASSWORD = 'correct horse battery staple';

const VARIABLES = {
  HOST: '127.0.0.1',
  PORT: '0',
  BOOTSTRAP_API_KEY: API_KEY,
  ADMIN_PASSWORD,
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
};

const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

export class Service {
  /** Attempts use the present endpoint. */
  endpointsAreStaleMs = 0;
  /** There is no engine that could be away. */
  outages = [];
  starts = 0;
  slowestStartMs = 0;
  mishaps = [];
  /** Epoch milliseconds. */
  kills = [];
  isDown = false;
  child = null;

  constructor(main, folder, variables, args = []) {
    this.program = [main, ...args];
    this.log = join(folder, 'service.log');
    this.env = { ...VARIABLES, DATA_DIR: join(folder, 'data'), ...variables };
    this.down();
  }

  /** Where its programs are. */
  get bundle() {
    return dirname(this.program[0]);
  }

  get isRunning() {
    return this.child !== null;
  }

  async addresses() {
    return [await this.address()];
  }

  address() {
    return this.serving;
  }

  /** Resolves when the service listens, or has ended before. */
  start() {
    const log = openSync(this.log, 'a');
    writeSync(log, `--- start ${++this.starts}\n`);
    const child = spawn(process.execPath, this.program, { env: this.env, stdio: ['ignore', 'pipe', log] });
    closeSync(log);
    running.add(child);
    child.once('close', () => running.delete(child));
    this.child = child;
    this.startedAt = performance.now();
    const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
    this.ended = ended.then((how) => this.onEnd(child, how));
    return Promise.race([this.listening(child), this.ended]);
  }

  kill() {
    if (this.isRunning) this.kills.push(Date.now());
    return this.end('SIGKILL');
  }

  stop() {
    return this.end('SIGTERM');
  }

  async end(signal) {
    const { child } = this;
    if (!child) return null;
    child.isExpectedToEnd = true;
    this.down();
    child.kill(signal);
    return (await this.ended).code;
  }

  /** Makes `address` wait for the next start; existing callers keep waiting. */
  down() {
    if (this.isDown) return;
    this.isDown = true;
    this.serving = new Promise((resolve) => (this.serve = resolve));
  }

  up(url) {
    this.isDown = false;
    this.serve(url);
  }

  onEnd(child, how) {
    if (this.child === child) this.child = null;
    if (!child.isExpectedToEnd) {
      this.mishaps.push(`start ${this.starts} ended with ${how.code ?? how.signal}`);
      this.down();
    }
    return how;
  }

  async listening(child) {
    const url = await addressOf(child).catch((error) => {
      if (hasEnded(child)) return null;
      throw error;
    });
    if (url === null || child.isExpectedToEnd) return;
    this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - this.startedAt);
    this.up(url);
  }
}
