/** What a connection is made to. */
export interface Target {
  readonly origin: string;
  readonly isSecure: boolean;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}
