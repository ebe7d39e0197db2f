export interface EnginePart {
  readonly name: string;
  readonly ready: boolean;
}

/** Later than anything was stamped. */
export const EVER = Number.MAX_SAFE_INTEGER;

/** An engine that cannot be opened where the settings say it is; the message tells why. */
export class EngineNotOpened extends Error {}

/** What the application must know of the engine as a whole. */
export abstract class Engine {
  /**
   * Leases and open work that were stamped before this instant (epoch milliseconds), and are not in this process's own
   * hands, belong to a dead process. An engine that admits one process answers `EVER`, as the dead one's clock may have
   * been ahead; an engine with replicas answers 0.
   */
  abstract readonly leasesVoidBefore: number;

  /** Every part that must be in reach before requests are served. */
  abstract parts(): Promise<readonly EnginePart[]>;

  /** Called once, after everything that uses the engine has stopped: flushes and lets go. */
  abstract close(): Promise<void>;
}
