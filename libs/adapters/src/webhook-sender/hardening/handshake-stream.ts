import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Clock } from '@ports/clock.port';

/** Of a receiver that has not shown yet who it is: usual certificates come to a few kilobytes. */
const MOST_BYTES = 16 * 1024;
/** A step that takes no longer costs nothing. */
const FREE_MS = 10;
/** Whoever took longer waits so many times as long. */
const PAUSE = 4;

/**
 * How much of the process the handshakes of one project take. Certificates are verified where everything else is done,
 * also those that nobody trusts, and whoever makes them decides how long that takes.
 */
export class HandshakePace {
  private readonly line: (() => void)[] = [];
  private freeAt = 0;
  private waits = false;

  constructor(private readonly clock: Clock) {}

  /** Takes the step now, or as soon as those before it are paid for. */
  take(step: () => void): void {
    this.line.push(step);
    this.serve();
  }

  private serve(): void {
    while (!this.waits && this.line.length > 0) {
      const now = this.clock.elapsed();
      if (this.freeAt > now) return this.serveIn(this.freeAt - now);
      this.line.shift()?.();
      const then = this.clock.elapsed();
      if (then - now > FREE_MS) this.freeAt = then + PAUSE * (then - now);
    }
  }

  private serveIn(ms: number): void {
    this.waits = true;
    this.clock.after(Math.ceil(ms), () => {
      this.waits = false;
      this.serve();
    });
  }
}

/** A connection that TLS is spoken on: what comes before the handshake is over is bounded, and taken step by step. */
export class HandshakeStream extends Duplex {
  private arrived = 0;
  private isOver = false;
  private isWaiting = false;

  constructor(
    private readonly raw: Socket,
    private readonly pace: HandshakePace,
  ) {
    super();
    raw
      .on('data', (chunk: Buffer) => this.arrive(chunk))
      .on('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
      .on('close', () => void (raw.readableEnded || this.destroy()));
  }

  /** The receiver has shown who it is. */
  handshakeIsOver(): void {
    this.isOver = true;
  }

  private arrive(chunk: Buffer): void {
    if (this.isOver) return this.passOn(chunk);
    this.arrived += chunk.length;
    if (this.arrived > MOST_BYTES) return void this.destroy(tooLong());
    this.isWaiting = true;
    this.raw.pause();
    this.pace.take(() => {
      this.isWaiting = false;
      if (!this.destroyed) this.passOn(chunk);
    });
  }

  private passOn(chunk: Buffer): void {
    if (this.push(chunk)) this.raw.resume();
    else this.raw.pause();
  }

  override _read(): void {
    if (!this.isWaiting) this.raw.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.raw.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.raw.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.raw.destroy();
    done(error);
  }
}

function tooLong(): Error {
  return Object.assign(new Error('the certificates are too long'), { code: 'ERR_TLS_CERTIFICATES_TOO_LONG' });
}
