/** One thing that the engine stands on, such as a file or a server. */
export interface EnginePart {
  readonly name: string;
  readonly ready: boolean;
  /** Whether this application cannot serve while the part is out of reach. Without another part it serves less. */
  readonly needed: boolean;
}

/** Later than any instant that was ever stamped. */
export const EVER = Number.MAX_SAFE_INTEGER;

/** An engine that cannot be opened where the settings say it is; the message begins with the setting and tells why. */
export class EngineNotOpened extends Error {}

/** An engine that another process uses, and that admits one. */
export class EngineInUse extends EngineNotOpened {}

/** Whether other processes may use the engine beside this one. */
export function isShared({ leasesVoidBefore }: Pick<Engine, 'leasesVoidBefore'>): boolean {
  return leasesVoidBefore === 0;
}

/** What the application must know of the engine as a whole. */
export abstract class Engine {
  /**
   * Leases and open work that were stamped before this instant (epoch milliseconds), and that this process does not hold,
   * belong to a dead process. An engine that admits one process answers `EVER`, because the clock of the process before may
   * have been ahead. An engine with replicas answers 0.
   */
  abstract readonly leasesVoidBefore: number;

  /** Every part of the engine that this application uses, as it is now. May take seconds, and may reject. */
  abstract parts(): Promise<readonly EnginePart[]>;

  /** Flushes and closes the engine. Called once, after everything that uses it has stopped. */
  abstract close(): Promise<void>;
}
