export type ProxyMode = 'pass' | 'hold' | 'refuse';

/** A proxy before an engine, which can leave connections half-open. */
export class TcpProxy {
  static before(port: number): Promise<TcpProxy>;
  readonly port: number;
  /**
   * `hold`: bytes vanish, nothing is closed, new connections are accepted and silent. `refuse`: new connections are reset. Leaving `hold`
   * cuts the held connections, since bytes were lost.
   */
  mode: ProxyMode;
  /** Connections not ended by clients, and all ever made. */
  readonly connections: { readonly open: number; readonly made: number };
  cut(): void;
  end(): void;
  /** Open connections fall silent for good; new ones pass. */
  strand(): void;
  close(): Promise<void>;
}
