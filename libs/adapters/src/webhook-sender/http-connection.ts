import type { Reached } from './hardening/target.js';

export interface ConnectionUser {
  onData(chunk: Buffer): void;
  /** The receiver closed its side, or the connection broke (an error). */
  onEnd(error: Error | null): void;
}

/** An open connection, for one request at a time. Dropped if its receiver closes it or sends unasked. */
export class HttpConnection {
  isGone = false;
  /** As `Clock.elapsed` counts. */
  idleUntil = 0;
  readonly address: string;
  private readonly socket: Reached['socket'];
  private user: ConnectionUser | null = null;

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

  /** Sends a request; `user` gets what follows until it leaves. */
  send(request: Buffer, user: ConnectionUser): void {
    this.user = user;
    this.socket.write(request);
  }

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
