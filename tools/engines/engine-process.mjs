import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const OUTPUT_KEPT = 4_096;
const living = new Set();

/** Kills every engine of this process, even while it starts, without waiting. */
export function killEngines() {
  for (const child of living) child.kill('SIGKILL');
}

/**
 * A host is a script with its options as JSON in the first argument. It sends `{ ready: url }` once its engine answers, answers `{ id,
 * command, argument }` with `{ id, result }` or `{ id, error }`, ends itself and its engine on SIGTERM, and when its parent is gone.
 */
export class EngineProcess {
  #script;
  #options;
  #child = null;
  #asked = new Map();
  #lastId = 0;
  url = '';

  constructor(script, options) {
    this.#script = script;
    this.#options = options;
  }

  static async start(script, options) {
    const engine = new EngineProcess(script, options);
    await engine.restart();
    return engine;
  }

  get port() {
    return this.#options.port;
  }

  get directory() {
    return this.#options.directory;
  }

  get isRunning() {
    return this.#child !== null;
  }

  async restart(changed = {}) {
    if (this.#child) throw new Error(`${this.#script} runs already`);
    this.#options = { ...this.#options, ...changed };
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'];
    const { interpreter = [process.execPath], ...options } = this.#options;
    const [execPath, ...execArgv] = interpreter;
    const child = fork(fileURLToPath(this.#script), [JSON.stringify(options)], { stdio, execPath, execArgv });
    this.#child = child;
    living.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-OUTPUT_KEPT)));
    child.once('exit', () => this.#ended(child));
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => reject(new Error(`${this.#script} ended with ${code}:\n${output}`)));
      child.on('message', (message) => {
        if (message.ready === undefined) return this.#answered(message);
        this.url = message.ready;
        resolve();
      });
    });
  }

  ask(command, argument) {
    if (!this.#child) return Promise.reject(new Error(`${this.#script} does not run`));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#child.send({ id, command, argument });
    });
  }

  kill() {
    return this.#end('SIGKILL');
  }

  stop() {
    return this.#end('SIGTERM');
  }

  async #end(signal) {
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  #ended(child) {
    living.delete(child);
    if (this.#child === child) this.#child = null;
    for (const { reject } of this.#asked.values()) reject(new Error(`${this.#script} ended`));
    this.#asked.clear();
  }

  #answered({ id, result, error }) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error));
  }
}
