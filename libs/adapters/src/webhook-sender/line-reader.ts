const LF = 10;

/** Bytes and how far they are read. */
export interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

export interface Line {
  /** Its bytes as Latin-1, without the line's end. */
  readonly text: string;
  /** Ended by a line feed alone. */
  readonly isBare: boolean;
  /** Only its beginning was kept. */
  readonly isCut: boolean;
}

/** Takes lines out of bytes that come in pieces. Of a long line it keeps the beginning. */
export class LineReader {
  /** What has come of the line that is not over yet. */
  begun = '';
  private isCut = false;

  constructor(private readonly longest: number) {}

  /** The next line; null where its end has not come, when all bytes are read. */
  next(cursor: Cursor): Line | null {
    const { bytes, at } = cursor;
    const end = bytes.indexOf(LF, at);
    this.append(bytes, at, end < 0 ? bytes.length : end);
    cursor.at = end < 0 ? bytes.length : end + 1;
    if (end < 0) return null;
    const { begun, isCut } = this;
    const hasReturn = begun.endsWith('\r');
    this.begun = '';
    this.isCut = false;
    return { text: hasReturn ? begun.slice(0, -1) : begun, isBare: !hasReturn && !isCut, isCut };
  }

  private append(bytes: Buffer, from: number, to: number): void {
    const until = Math.min(to, from + this.longest - this.begun.length);
    if (until < to) this.isCut = true;
    if (until > from) this.begun += bytes.toString('latin1', from, until);
  }
}
