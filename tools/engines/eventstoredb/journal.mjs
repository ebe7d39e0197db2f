import { closeSync, fdatasync, mkdirSync, openSync, readFileSync, truncateSync, writeFile } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const NEWLINE = 0x0a;
const writeAll = promisify(writeFile);
const sync = promisify(fdatasync);

/** A file of JSON lines. Entries written together become durable together. */
export class Journal {
  /** The simulated free bytes of the disk. */
  room = Infinity;
  #file;
  #endsOnFailure;
  #waiting = [];
  #running = false;

  constructor(path, endsOnFailure) {
    this.#file = openSync(path, 'a');
    this.#endsOnFailure = endsOnFailure;
  }

  /** Resolves to the journal and its entries. Cuts off a torn last line. */
  static open(directory, { cutsTornLine, endsOnFailure }) {
    mkdirSync(directory, { recursive: true });
    const path = join(directory, 'log.jsonl');
    closeSync(openSync(path, 'a'));
    const bytes = readFileSync(path);
    const whole = bytes.lastIndexOf(NEWLINE) + 1;
    if (cutsTornLine && whole < bytes.length) truncateSync(path, whole);
    const lines = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1);
    return { journal: new Journal(path, endsOnFailure), entries: lines.map((line) => JSON.parse(line)) };
  }

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
      if (outcome && this.#endsOnFailure) return endProcess(outcome);
      for (const { resolve, reject } of group) {
        if (outcome) reject(outcome);
        else resolve();
      }
    }
    this.#running = false;
  }

  async #store(group) {
    const bytes = Buffer.from(group.map(({ line }) => line).join(''));
    await writeAll(this.#file, bytes.subarray(0, this.room));
    if (bytes.length > this.room) throw new Error('ENOSPC: no space left on device');
    this.room -= bytes.length;
    await sync(this.#file);
  }
}

/** Memory is ahead of the disk now: only a start from the file knows what is stored. */
function endProcess(error) {
  process.stderr.write(`The log cannot be written: ${error.message}\n`);
  process.exit(1);
}

export const packed = ({ id, type, contentType, data, metadata, created, position }) => ({
  id,
  type,
  contentType,
  created: String(created),
  position: String(position),
  data: data.toString('base64'),
  metadata: metadata.toString('base64'),
});

export const unpacked = ({ events, ...entry }) => ({
  ...entry,
  events: events.map((event) => ({
    ...event,
    stream: entry.stream,
    created: BigInt(event.created),
    position: BigInt(event.position),
    data: Buffer.from(event.data, 'base64'),
    metadata: Buffer.from(event.metadata, 'base64'),
  })),
});
