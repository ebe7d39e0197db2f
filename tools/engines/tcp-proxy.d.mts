/** What a proxy does with connections and bytes. */
export type ProxyMode = 'pass' | 'hold' | 'refuse';

/** A TCP proxy before an engine, which can make its connections half-open. */
export class TcpProxy {
  /** Listens on a free port of this machine and passes everything on to `port`. */
  static before(port: number): Promise<TcpProxy>;
  readonly port: number;
  /**
   * `hold`: bytes vanish, nothing is closed, new connections are accepted and silent. `refuse`: new connections are reset.
   * Leaving `hold` cuts the held connections, because bytes of them are gone.
   */
  mode: ProxyMode;
  /** The clients' connections: those that the clients have not ended, and how many were made. */
  readonly connections: { readonly open: number; readonly made: number };
  /** Resets every connection. */
  cut(): void;
  /** Ends every connection in order. */
  end(): void;
  /** The connections that are open fall silent for good; new ones pass. */
  strand(): void;
  close(): Promise<void>;
}
