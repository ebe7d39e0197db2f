import { closeSync, fdatasync, mkdirSync, openSync, readFileSync, truncateSync, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const NEWLINE = 0x0a;
const writeAll = promisify(write);
const sync = promisify(fdatasync);

/** A file of JSON lines. What is written together becomes durable together. */
export class Journal {
  #file;
  #waiting = [];
  #running = false;

  constructor(path) {
    this.#file = openSync(path, 'a');
  }

  /** Opens the journal of a directory, and resolves to it and what its lines say. A torn last line is cut off. */
  static open(directory, cutsTornLine) {
    mkdirSync(directory, { recursive: true });
    const path = join(directory, 'log.jsonl');
    closeSync(openSync(path, 'a'));
    const bytes = readFileSync(path);
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    if (cutsTornLine && whole < bytes.length) truncateSync(path, whole);
    const lines = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1);
    return { journal: new Journal(path), entries: lines.map((line) => JSON.parse(line)) };
  }

  /** Resolves once the entry is durable. */
  write(entry) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, resolve, reject });
      void this.#run();
    });
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      const outcome = await this.#store(group).catch((error) => error);
      for (const { resolve, reject } of group) {
        if (outcome) reject(outcome);
        else resolve();
      }
    }
    this.#running = false;
  }

  async #store(group) {
    await writeAll(this.#file, Buffer.from(group.map(({ line }) => line).join('')));
    await sync(this.#file);
  }
}
