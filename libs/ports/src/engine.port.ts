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

/** A copy of what an engine stores. */
export interface Backup {
  /** Where it is, on the machine of this process. */
  readonly folder: string;
  readonly bytes: number;
}

/** No copy was made: it cannot be made there, or by this engine at all; the message says why, and what to do. */
export class BackupRefused extends Error {}

/** A copy was begun and could not be finished, or is damaged. Nothing of it was left behind. */
export class BackupFailed extends Error {}

/** What the application must know of the engine as a whole. */
export abstract class Engine {
  /**
   * Whether other processes may use the engine beside this one. Where none may, leases and open work that this process does not
   * hold belong to a dead one, whenever they were stamped: the clock of the process before may have been ahead.
   */
  abstract readonly isShared: boolean;

  /** Every part of the engine that this application uses, as it is now. May take seconds, and may reject. */
  abstract parts(): Promise<readonly EnginePart[]>;

  /**
   * Copies everything that was acknowledged before the call into a folder that is missing or empty, together with files of
   * the engine's own directory, and checks the copy. Whoever uses the engine meanwhile is not held up. Rejects with
   * `BackupRefused` or `BackupFailed`.
   * @param folder an absolute path
   * @param files names of those files
   */
  abstract backUp(folder: string, files: readonly string[]): Promise<Backup>;

  /** Flushes and closes the engine. Called once, after everything that uses it has stopped. */
  abstract close(): Promise<void>;
}
