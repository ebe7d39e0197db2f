/** A file of the console, compressed when it was built. */
export interface ConsoleFile {
  readonly type: string;
  /** Its entity tag, in quotes. */
  readonly etag: string;
  /** In base64. */
  readonly br: string;
  /** In base64. */
  readonly gzip: string;
}

export interface ConsoleFiles {
  /** Null where the console was not built, as in the gateway's specs. */
  readonly page: ConsoleFile | null;
  readonly assets: Readonly<Record<string, ConsoleFile>>;
}

/** The build replaces this module with one that contains the console: see `tools/bundle.mjs`. */
export const CONSOLE_FILES: ConsoleFiles = { page: null, assets: {} };
