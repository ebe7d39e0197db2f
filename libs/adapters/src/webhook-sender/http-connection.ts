import type { Reached } from './hardening/target.js';

/** Who a connection tells what comes over it. */
export interface ConnectionUser {
  onData(chunk: Buffer): void;
  /** The receiver has ended its side, or the connection broke (an error). */
  onEnd(error: Error | null): void;
}

/** An open connection, which carries one request at a time. One that its receiver ends or talks over unasked is dropped. */
export class HttpConnection {
  isGone = false;
  /** Until when it may wait for another request, as `Clock.elapsed` counts. */
  idleUntil = 0;
  readonly address: string;
  private readonly socket: Reached['socket'];
  private user: ConnectionUser | null = null;

  /** `madeAt` is as `Clock.elapsed` counts. */
  constructor(
    reached: Reached,
    readonly madeAt: number,
  ) {
    this.address = reached.address;
    this.socket = reached.socket;
    this.socket
      .on('data', (chunk: Buffer) => (this.user ? this.user.onData(chunk) : this.drop()))
      .on('end', () => this.end(null))
      .on('error', (error) => this.end(error))
      .on('close', () => this.end(null));
  }

  /** Sends a request; `user` is told of what follows, until it leaves. */
  send(request: Buffer, user: ConnectionUser): void {
    this.user = user;
    this.socket.write(request);
  }

  /** To be called by the user, who is told nothing more. */
  leave(): void {
    this.user = null;
  }

  drop(): void {
    this.isGone = true;
    this.user = null;
    this.socket.destroy();
  }

  private end(error: Error | null): void {
    const { user } = this;
    this.drop();
    user?.onEnd(error);
  }
}
