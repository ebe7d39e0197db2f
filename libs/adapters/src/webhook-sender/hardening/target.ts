import type { Socket } from 'node:net';

/** What a connection is made to. */
export interface Target {
  readonly origin: string;
  readonly isSecure: boolean;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

export interface Reached {
  readonly socket: Socket;
  /** The address that was connected to. */
  readonly address: string;
}
