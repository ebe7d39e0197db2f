export type StoreTrouble = 'away' | 'damaged';

interface ResultCode {
  readonly code: number;
  /** SQLite's text: the driver omits the code in failures of `all`. */
  readonly text: string;
  readonly trouble: StoreTrouble;
}

/** SQLite's primary result codes (https://sqlite.org/rescode.html). All others are mistakes of the caller, or conflicts. */
export const RESULT_CODES: readonly ResultCode[] = [
  { code: 3, text: 'access permission denied', trouble: 'away' },
  { code: 5, text: 'database is locked', trouble: 'away' },
  { code: 6, text: 'database table is locked', trouble: 'away' },
  { code: 7, text: 'out of memory', trouble: 'away' },
  { code: 8, text: 'attempt to write a readonly database', trouble: 'away' },
  { code: 9, text: 'interrupted', trouble: 'away' },
  { code: 10, text: 'disk I/O error', trouble: 'away' },
  { code: 11, text: 'database disk image is malformed', trouble: 'damaged' },
  { code: 13, text: 'database or disk is full', trouble: 'away' },
  { code: 14, text: 'unable to open database file', trouble: 'away' },
  { code: 15, text: 'locking protocol', trouble: 'away' },
  { code: 22, text: 'large file support is disabled', trouble: 'away' },
  { code: 26, text: 'file is not a database', trouble: 'damaged' },
];

/** Undefined for any other failure. An extended result code has the primary one in its lowest byte. */
export function storeTrouble(error: unknown): StoreTrouble | undefined {
  const { code, errcode, message } = (error ?? {}) as Readonly<Record<'code' | 'errcode' | 'message', unknown>>;
  if (typeof errcode === 'number') return RESULT_CODES.find(({ code: known }) => known === (errcode & 0xff))?.trouble;
  return code === 'ERR_SQLITE_ERROR' ? RESULT_CODES.find(({ text }) => text === message)?.trouble : undefined;
}
