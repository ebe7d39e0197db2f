import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf } from '../launch/listening.mjs';
import { root } from '../launch/run.mjs';

export const programs = join(root, 'tools/bench/programs');
export const limits = join(root, 'tools/bench/limits');
export const API_KEY = 'sk_bench_0123456789abcdefghijklmnop';
export const ADMIN_PASSWORD = 'correct horse battery staple';

/** The service as an operator starts it, but without rate limits, on a free port, and allowed to post to this machine. */
export const VARIABLES = {
  HOST: '127.0.0.1',
  PORT: '0',
  BOOTSTRAP_API_KEY: API_KEY,
  ADMIN_PASSWORD,
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
  CONVERSATION_IDLE_MS: String(365 * 86_400_000),
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
};

const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill()));

/** A process that ends with this one, however this one ends (`kill -9` aside). */
function begin(args, options) {
  const child = spawn(process.execPath, args, options);
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

/** A server in a process of its own. Its log goes through a pipe to a reader, as an operator's would. */
export class Server {
  static async start(args, env = {}) {
    const server = new this();
    server.startedAt = performance.now();
    server.child = begin(args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    server.url = await addressOf(server.child);
    return server;
  }

  /** Resident memory of the process with all its threads, in MiB. */
  residentMiB() {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  }

  /** Processor time of the process with all its threads so far, in ms. */
  cpuMs() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** Resolves when the process has ended. */
  async stop(signal = 'SIGTERM') {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

/** Starts a build's service on a data directory. */
export function startService({ nodeOptions, main }, directory, variables = {}) {
  return Server.start([...nodeOptions, main], { ...VARIABLES, DATA_DIR: directory, ...variables });
}

/** Runs one of the programs on a task in a process of its own and resolves to what it found. */
export async function runProgram(name, task) {
  const child = begin([join(programs, 'run.mjs'), name, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([child.stdout.setEncoding('utf8').toArray(), once(child, 'close')]);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return JSON.parse(said.join(''));
}

export async function stopAll(servers) {
  for (const server of servers) await server.stop();
}
