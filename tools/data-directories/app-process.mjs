import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { addressOf } from '../launch/listening.mjs';

/** One process of a release: a file of its bundle and its arguments. */
export class AppProcess {
  #child = null;

  constructor(program, env) {
    this.program = program;
    this.env = env;
  }

  /** Resolves once it listens, to its base URL. */
  async start(settings = {}) {
    const env = { ...this.env, ...settings };
    this.#child = spawn(process.execPath, this.program, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    return addressOf(this.#child);
  }

  /** Ends the process gracefully. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** Kills the process without a chance to clean up. */
  kill() {
    return this.#end('SIGKILL');
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
