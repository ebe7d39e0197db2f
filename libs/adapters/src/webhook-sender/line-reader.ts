const LF = 10;

export interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

export interface Line {
  /** As Latin-1, without the line break. */
  readonly text: string;
  readonly isBare: boolean;
  readonly isCut: boolean;
}

/** Splits incoming bytes into lines; keeps the beginning of a long one. */
export class LineReader {
  begun = '';
  private isCut = false;

  constructor(private readonly longest: number) {}

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
