import { write, writeSync } from 'node:fs';
import { inTime } from '../operations/deadline.js';

/** Each write wakes a thread of its own, which costs more than the writing. */
const ENOUGH = 32_768;
const ROOM = ENOUGH + 8_192;
/** Of UTF-8, for each of a text's 16-bit units. */
const MOST_BYTES_OF_A_UNIT = 3;
const NONE = Buffer.alloc(0);
const NOT_LATER_THAN_MS = 200;
const MOST_WAITING = 16 * 1_048_576;
const AGAIN_AFTER_MS = 50;
const LAST_TRY_AFTER_MS = 5;
/** In a row, and in all: of a reader who takes nothing, and of one who takes little. */
const LAST_TRIES = { inVain: 200, inAll: 1_000 };
const LAST_WRITE_MS = 1_000;
const NEW_LINE = 10;

/**
 * Written in the background, many at a time, so that no request waits for whoever reads the log. Lines that cannot be
 * written are dropped: neither a full disk nor a reader who went away may hold up the service.
 */
export class LogLines {
  /** As bytes from the beginning: a line is made of pieces, which are at hand when it comes and no longer when it leaves. */
  private room = Buffer.allocUnsafe(ROOM);
  private waiting = 0;
  /** What the system is writing; resolves when it no longer does. */
  private writing: Promise<void> | undefined;
  /** Taken before what waits, perhaps half written already: its reader was busy. */
  private held: Buffer | undefined;
  /** Of what was written so far. What is dropped may be the rest of a line. */
  private endsInALine = true;
  private timer: NodeJS.Timeout | undefined;
  private flushesAtExit = false;
  private ended = false;

  constructor(private readonly descriptor: number) {}

  write(line: string): void {
    if (!this.flushesAtExit) process.once('exit', () => this.flush());
    this.flushesAtExit = true;
    if (this.waiting > MOST_WAITING) return;
    if (this.room.length - this.waiting < line.length * MOST_BYTES_OF_A_UNIT) this.makeRoomFor(line);
    this.waiting += this.room.write(line, this.waiting);
    this.sendSoon();
  }

  /** Writes what waits before it returns, but not what the system is writing. */
  flush(): void {
    let rest = this.takeAll();
    for (let inVain = 0, inAll = 0; rest.length > 0 && inVain < LAST_TRIES.inVain && inAll < LAST_TRIES.inAll;) {
      try {
        const written = writeSync(this.descriptor, rest);
        if (written > 0) this.endsInALine = rest[written - 1] === NEW_LINE;
        rest = rest.subarray(written);
        inVain = 0;
      } catch (error) {
        if (!isBusy(error)) return;
        inVain += 1;
        inAll += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_TRY_AFTER_MS);
      }
    }
  }

  /** Writes everything, in its order. What comes after that is written at the exit of the process. */
  async end(): Promise<void> {
    this.ended = true;
    if (this.writing) await inTime(this.writing, LAST_WRITE_MS, undefined);
    this.flush();
  }

  private sendSoon(): void {
    if (this.ended || this.writing || this.held || this.waiting === 0) return;
    if (this.waiting >= ENOUGH) this.send();
    else this.timer ??= setTimeout(() => this.send(), NOT_LATER_THAN_MS).unref();
  }

  /** What is held, else what waits. */
  private takeNext(): Buffer {
    clearTimeout(this.timer);
    this.timer = undefined;
    const bytes = this.held ?? this.takeLines(this.endsInALine ? '' : '\n');
    this.held = undefined;
    return bytes;
  }

  private takeAll(): Buffer {
    const held = this.held !== undefined;
    const next = this.takeNext();
    return held ? Buffer.concat([next, this.takeLines('')]) : next;
  }

  private takeLines(before: string): Buffer {
    if (this.waiting === 0) return NONE;
    const lines = this.room.subarray(0, this.waiting);
    this.room = Buffer.allocUnsafe(ROOM);
    this.waiting = 0;
    return before === '' ? lines : Buffer.concat([Buffer.from(before), lines]);
  }

  /** More than usual: a long line, or a reader who is slow. */
  private makeRoomFor(line: string): void {
    const more = Buffer.allocUnsafe(2 * this.room.length + line.length * MOST_BYTES_OF_A_UNIT);
    this.room.copy(more, 0, 0, this.waiting);
    this.room = more;
  }

  private send(): void {
    const bytes = this.takeNext();
    this.writing = new Promise((resolve) => {
      write(this.descriptor, bytes, (error, written) => {
        this.writing = undefined;
        this.goOn(bytes, error, written);
        resolve();
      });
    });
  }

  private goOn(bytes: Buffer, error: Error | null, written: number): void {
    if (written > 0) this.endsInALine = bytes[written - 1] === NEW_LINE;
    if (error && !isBusy(error)) return this.sendSoon();
    const rest = error ? bytes : bytes.subarray(written);
    if (rest.length === 0) return this.sendSoon();
    this.held = rest;
    if (this.ended) return;
    if (error) this.timer = setTimeout(() => this.send(), AGAIN_AFTER_MS).unref();
    else this.send();
  }
}

function isBusy(error: unknown): boolean {
  return ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}
