/** A file or server that the engine depends on. */
export interface EnginePart {
  readonly name: string;
  readonly ready: boolean;
  /** Whether the application cannot serve without this part. */
  readonly needed: boolean;
}

/** The disk on which the engine stores everything. */
export interface Disk {
  /** What is free for this process. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Later than any stored timestamp. */
export const EVER = Number.MAX_SAFE_INTEGER;

/** The engine cannot be opened with these settings; the message begins with the setting. */
export class EngineNotOpened extends Error {}

/** Another process has the engine open, which allows one only. */
export class EngineInUse extends EngineNotOpened {}

/** A copy of the engine's data. */
export interface Backup {
  readonly folder: string;
  readonly bytes: number;
}

/** No copy can be made there, or by this engine; the message says why, and what to do. */
export class BackupRefused extends Error {}

/** The copy could not be finished, or is damaged; it was removed. */
export class BackupFailed extends Error {}

export abstract class Engine {
  /** Whether processes share the engine. If not, leases and open work of others belong to dead ones, even if stamped in the future. */
  abstract readonly isShared: boolean;

  /** The present state of every part that this application uses. May take seconds, and may reject. */
  abstract parts(): Promise<readonly EnginePart[]>;

  /** Null for an engine without a data directory of this process. */
  abstract disk(): Promise<Disk | null>;

  /**
   * Copies all that was acknowledged before the call to a missing or empty folder (absolute path), with the named files of the engine's own
   * directory, and checks the copy. Blocks no one. Rejects with `BackupRefused` or `BackupFailed`.
   */
  abstract backUp(folder: string, files: readonly string[]): Promise<Backup>;

  /** Flushes and closes the engine. Called once, last. */
  abstract close(): Promise<void>;
}
