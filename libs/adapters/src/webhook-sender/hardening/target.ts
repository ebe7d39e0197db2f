import type { Socket } from 'node:net';

export interface Target {
  readonly origin: string;
  readonly isSecure: boolean;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

export interface Reached {
  readonly socket: Socket;
  readonly address: string;
}
