import { open } from 'node:fs/promises';

const STEP = 2 * 1024 * 1024;

/** The least a durable append can cost: one file, zero-filled ahead, one sync for all that arrived while the last one ran. */
export class RawLog {
  static async open(path) {
    const log = new RawLog();
    log.file = await open(path, 'w+');
    await log.fillAhead();
    return log;
  }

  written = 0;
  filled = 0;
  waiting = [];
  running = false;

  /** Resolves once the text is on disk. */
  append(text) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ bytes: Buffer.from(text + '\n'), resolve, reject });
      if (!this.running) void this.run();
    });
  }

  async run() {
    this.running = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      const bytes = Buffer.concat(batch.map((entry) => entry.bytes));
      if (this.written + bytes.length > this.filled) await this.fillAhead();
      await this.file.write(bytes, 0, bytes.length, this.written);
      this.written += bytes.length;
      await this.file.datasync();
      for (const { resolve } of batch) resolve();
    }
    this.running = false;
  }

  async fillAhead() {
    await this.file.write(Buffer.alloc(STEP), 0, STEP, this.filled);
    this.filled += STEP;
    await this.file.sync();
  }

  close() {
    return this.file.close();
  }
}
