import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf } from '../launch/listening.mjs';

export const API_KEY = 'sk_chaos_0123456789abcdefghijklmnop';

const VARIABLES = {
  HOST: '127.0.0.1',
  PORT: '0',
  BOOTSTRAP_API_KEY: API_KEY,
  ADMIN_PASSWORD: 'correct horse battery staple',
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
};

const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/** The built service as a process that can be killed and restarted on the same data. */
export class Service {
  /** Its attempts are made with endpoints as they are. */
  endpointsAreStaleMs = 0;
  /** It has no engine beside it that could be away. */
  outages = [];
  starts = 0;
  slowestStartMs = 0;
  /** Unexpected exits. */
  mishaps = [];
  isDown = false;
  child = null;

  constructor(main, folder, variables, args = []) {
    this.program = [main, ...args];
    this.log = join(folder, 'service.log');
    this.env = { ...VARIABLES, DATA_DIR: join(folder, 'data'), ...variables };
    this.down();
  }

  get isRunning() {
    return this.child !== null;
  }

  /** The base URLs of every process that has metrics. */
  async addresses() {
    return [await this.address()];
  }

  /** Resolves to the base URL, as soon as the service listens. */
  address() {
    return this.serving;
  }

  /** Starts the service; resolves when it listens or has ended before that. */
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

  /** Kills the process without a chance to clean up. */
  kill() {
    return this.end('SIGKILL');
  }

  /** Asks the process to end and returns its exit code. */
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

  /** Makes `address` wait for the next start; callers that wait already keep waiting. */
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
