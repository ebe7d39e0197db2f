import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { addressOf } from '../launch/listening.mjs';
import { programs } from './places.mjs';

export const API_KEY = 'sk_bench_0123456789abcdefghijklmnop';
export const ADMIN_PASSWORD = 'correct horse battery staple';

/** The service as an operator starts it, except that nothing is limited and the port is free. */
export const VARIABLES = {
  HOST: '127.0.0.1',
  PORT: '0',
  BOOTSTRAP_API_KEY: API_KEY,
  ADMIN_PASSWORD,
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
  CONVERSATION_IDLE_MS: String(365 * 86_400_000),
};

const running = new Set();
process.once('exit', () => running.forEach((child) => child.kill()));

/** A process of our own that does not outlive us, however we end (`kill -9` aside). */
function begin(args, options) {
  const child = spawn(process.execPath, args, options);
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

/** A server in a process of its own. Its log goes where an operator's would: through a pipe, to somebody who reads it. */
export class Server {
  static async start(args, env = {}) {
    const server = new Server();
    server.startedAt = performance.now();
    server.child = begin(args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    server.url = await addressOf(server.child);
    return server;
  }

  get pid() {
    return this.child.pid;
  }

  /** Resident memory of the process with all its threads, in MiB. */
  residentMiB() {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  }

  /** Processor time of the process with all its threads so far, in ms. */
  cpuMs() {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  stop() {
    return this.end('SIGTERM');
  }

  kill() {
    return this.end('SIGKILL');
  }

  async end(signal) {
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

/** Runs one of our programs with a JSON argument and resolves to the JSON it prints. */
export async function runProgram(name, task) {
  const child = begin([join(programs, name), JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return JSON.parse(said);
}

/** Load on a server, with the processor time that the server spent per request, whoever else kept the machine busy. */
export async function loadOn(server, path, task) {
  const before = server.cpuMs();
  const found = await load({ url: server.url + path, ...task });
  return { ...found, cpuMicros: ((server.cpuMs() - before) * 1_000) / found.answered };
}

/** Requests from a process of its own; an answer that is no success is an error of the benchmark. */
async function load(task) {
  const found = await runProgram('load.mjs', { key: API_KEY, ...task });
  if (found.failures > 0) throw new Error(`${found.failures} requests failed, the first with ${found.firstFailure}`);
  return found;
}
