import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Clock } from '@ports/clock.port';

/** Received during the handshake. Usual certificate chains have a few kilobytes. */
const MAX_BYTES = 16 * 1024;
const FREE_MS = 10;
const PAUSE = 4;

/**
 * Limits a project's share of the event loop for TLS handshakes. Stops a receiver that burns CPU with certificates: they are verified on
 * the main thread, trusted or not, and the receiver chooses their cost.
 */
export class HandshakePace {
  private readonly steps: (() => void)[] = [];
  private freeAt = 0;
  private waits = false;

  constructor(private readonly clock: Clock) {}

  take(step: () => void): void {
    this.steps.push(step);
    this.serve();
  }

  private serve(): void {
    while (!this.waits && this.steps.length > 0) {
      const now = this.clock.elapsed();
      if (this.freeAt > now) return this.serveIn(this.freeAt - now);
      this.steps.shift()?.();
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

/**
 * The raw connection under a TLS socket. Stops a receiver that sends endless certificates: until the handshake is over, received bytes are
 * limited, and each chunk is processed at the project's pace.
 */
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

  /** Call once the receiver is authenticated: limits and pace end. */
  handshakeIsOver(): void {
    this.isOver = true;
  }

  private arrive(chunk: Buffer): void {
    if (this.isOver) return this.passOn(chunk);
    this.arrived += chunk.length;
    if (this.arrived > MAX_BYTES) return void this.destroy(tooLong());
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
  return Object.assign(new Error('the TLS handshake is too long'), { code: 'ERR_TLS_CERTIFICATES_TOO_LONG' });
}
