export interface EnginePart {
  readonly name: string;
  readonly ready: boolean;
}

/** An engine that cannot be opened where the settings say it is; the message tells why. */
export class EngineNotOpened extends Error {}

/** What the application must know of the engine as a whole. */
export abstract class Engine {
  /**
   * Leases and open work stamped before this instant (epoch milliseconds) belong to a dead process. An engine that
   * admits one process answers its own start; an engine with replicas answers 0.
   */
  abstract readonly leasesVoidBefore: number;

  /** Every part that must be in reach before requests are served. */
  abstract parts(): Promise<readonly EnginePart[]>;

  /** Called once, after everything that uses the engine has stopped: flushes and lets go. */
  abstract close(): Promise<void>;
}
