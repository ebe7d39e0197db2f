import { write, writeSync } from 'node:fs';

/** Each write wakes a thread of its own, which costs more than the writing. */
const ENOUGH = 32_768;
const NOT_LATER_THAN_MS = 200;
const MOST_WAITING = 16 * 1_048_576;
const AGAIN_AFTER_MS = 50;
const LAST_TRIES = 20;

/**
 * Written in the background, many at a time, so that no request waits for whoever reads the log. Lines that cannot be
 * written are dropped: neither a full disk nor a reader who went away may hold up the service.
 */
export class LogLines {
  private waiting = '';
  private writing = false;
  private timer: NodeJS.Timeout | undefined;
  private flushesAtExit = false;

  constructor(private readonly descriptor: number) {}

  write(line: string): void {
    if (!this.flushesAtExit) process.once('exit', () => this.flush());
    this.flushesAtExit = true;
    if (this.waiting.length > MOST_WAITING) return;
    this.waiting += line;
    this.sendSoon();
  }

  /** Writes what waits before it returns. */
  flush(): void {
    let rest = this.takeWaiting();
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES;) {
      try {
        rest = rest.subarray(writeSync(this.descriptor, rest));
      } catch (error) {
        if (!isBusy(error)) return;
        tries += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_AFTER_MS);
      }
    }
  }

  private sendSoon(): void {
    if (this.writing || this.waiting === '') return;
    if (this.waiting.length >= ENOUGH) this.send(this.takeWaiting());
    else this.timer ??= setTimeout(() => this.send(this.takeWaiting()), NOT_LATER_THAN_MS).unref();
  }

  private takeWaiting(): Buffer {
    clearTimeout(this.timer);
    this.timer = undefined;
    const bytes = Buffer.from(this.waiting);
    this.waiting = '';
    return bytes;
  }

  private send(bytes: Buffer): void {
    this.writing = bytes.length > 0;
    if (!this.writing) return this.sendSoon();
    write(this.descriptor, bytes, (error, written) => {
      if (isBusy(error)) setTimeout(() => this.send(bytes), AGAIN_AFTER_MS).unref();
      else this.send(error ? Buffer.alloc(0) : bytes.subarray(written));
    });
  }
}

function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}
