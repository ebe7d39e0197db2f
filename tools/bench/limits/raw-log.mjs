import { open } from 'node:fs/promises';

const STEP = 2 * 1024 * 1024;

/** The least a durable append can cost: one file, zero-filled ahead, one sync for all that arrived during the last one. */
export class RawLog {
  written = 0;
  filled = 0;
  waiting = [];
  last = Promise.resolve();
  next = null;

  static async open(path) {
    const log = new RawLog();
    log.file = await open(path, 'w+');
    await log.fillAhead();
    return log;
  }

  /** Resolves once the text is on disk. */
  append(text) {
    this.waiting.push(`${text}\n`);
    return (this.next ??= this.last.then(() => this.write()));
  }

  async write() {
    const bytes = Buffer.from(this.waiting.splice(0).join(''));
    [this.last, this.next] = [this.next, null];
    if (this.written + bytes.length > this.filled) await this.fillAhead();
    await this.file.write(bytes, 0, bytes.length, this.written);
    this.written += bytes.length;
    await this.file.datasync();
  }

  async fillAhead() {
    await this.file.write(Buffer.alloc(STEP), 0, STEP, this.filled);
    this.filled += STEP;
    await this.file.sync();
  }
}
