import { writeSync } from 'node:fs';
import { pino, type DestinationStream } from 'pino';
import { withinDeadline } from '../operations/deadline.js';

const MAX_WAITING_BYTES = 16 * 1_048_576;
const END_WITHIN_MS = 1_000;

/** Writes in the background and drops what it cannot write: a full disk or a blocked reader must not delay the service or its exit. */
export class LogDestination implements DestinationStream {
  private destination: ReturnType<typeof pino.destination>;
  private isReaderGone = false;
  private isEnded = false;

  constructor(private readonly descriptor: number) {
    this.destination = this.open();
    // Runs before pino's own exit handler, which would retry on a full disk for ever.
    process.prependOnceListener('exit', () => this.destination.destroy());
  }

  write(line: string): void {
    if (this.isReaderGone) return;
    if (this.isEnded) this.writeNow(line);
    else this.destination.write(line);
  }

  /** Writes buffered lines, for at most a second; later lines are written synchronously. */
  async end(): Promise<void> {
    if (this.isEnded || this.isReaderGone) return;
    this.isEnded = true;
    const closed = new Promise<void>((resolve) => this.destination.once('close', resolve));
    this.destination.end();
    await withinDeadline(closed, END_WITHIN_MS, undefined);
    this.destination.destroy();
  }

  private open() {
    const destination = pino.destination({ dest: this.descriptor, sync: false, maxLength: MAX_WAITING_BYTES });
    destination.on('error', ({ code }: NodeJS.ErrnoException) => this.dropWaiting(code));
    return destination;
  }

  /** A pino destination keeps and retries what it could not write for ever, so replace it. */
  private dropWaiting(code: string | undefined): void {
    this.isReaderGone = code === 'EPIPE';
    this.destination.destroy();
    if (!this.isReaderGone && !this.isEnded) this.destination = this.open();
  }

  private writeNow(line: string): void {
    try {
      writeSync(this.descriptor, line);
    } catch {
      // Dropped, like any line that cannot be written.
    }
  }
}
