import type { HeadReader } from './head-reader.js';
import { LineReader, type Cursor } from './line-reader.js';

/** Enough to show 16 KiB, and to find secrets that begin in it and end after it. */
export const MAX_BODY_BYTES = 20 * 1024;
const PIECES_KEPT_APART = 64;
const MAX_CHUNK_LINE_LENGTH = 1_024;
const CHUNK_SIZE = /^[ \t]*0*([\da-f]{1,12})[ \t]*(;|$)/i;
const NO_SIZE = /[^\da-f\s]/i;
const LENGTH = /^\d+$/;
export const SWITCHING_PROTOCOLS = 101;
const BODILESS: readonly number[] = [SWITCHING_PROTOCOLS, 204, 304];

type Framing = { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'chunks' | 'close' };

/** How the body of this answer ends. A contradiction marks the head as malformed; contradicting lengths are ignored. */
export function framingOf(status: number, head: HeadReader): Framing {
  if (status === SWITCHING_PROTOCOLS) head.isOdd = true;
  const codings = head.listOf('transfer-encoding').filter((coding) => coding !== '' && coding !== 'identity');
  const lengths = new Set(head.listOf('content-length'));
  if (BODILESS.includes(status)) {
    // A body may follow regardless, and would be read as the next answer.
    if (codings.length > 0 || [...lengths].some((length) => Number(length) !== 0)) head.isOdd = true;
    return { kind: 'length', bytes: 0 };
  }
  if (codings.length > 0) {
    if (lengths.size > 0) head.isOdd = true;
    return { kind: codings.at(-1) === 'chunked' ? 'chunks' : 'close' };
  }
  const [length, ...others] = lengths;
  if (length === undefined) return { kind: 'close' };
  if (others.length === 0 && LENGTH.test(length)) return { kind: 'length', bytes: Number(length) };
  head.isOdd = true;
  return { kind: 'close' };
}

export class BodyReader {
  /** Nothing more is read: the body is complete, broken or too long. */
  isOver = false;
  isComplete = false;
  private pieces: Buffer[] = [];
  private size = 0;
  private left: number;
  private expects: 'data' | 'first-chunk' | 'chunk' | 'chunk-end' | 'trailer';
  private readonly lines = new LineReader(MAX_CHUNK_LINE_LENGTH);

  constructor(private readonly framing: Framing) {
    this.expects = framing.kind === 'chunks' ? 'first-chunk' : 'data';
    this.left = framing.kind === 'length' ? framing.bytes : framing.kind === 'close' ? Infinity : 0;
    if (this.left === 0 && framing.kind === 'length') this.finish(true);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }

  take(cursor: Cursor): void {
    if (this.expects === 'first-chunk') this.beginChunks(cursor);
    if (this.expects === 'data') return this.takeData(cursor);
    const line = this.lines.next(cursor);
    if (line) this.takeLine(line.text);
  }

  end(): void {
    if (!this.isOver) this.finish(this.framing.kind === 'close');
  }

  /** A body that claims to be chunked and is not is read as it is. */
  private beginChunks({ bytes, at }: Cursor): void {
    const isNone = NO_SIZE.test(String.fromCharCode(bytes[at] ?? 0));
    this.expects = isNone ? 'data' : 'chunk';
    if (isNone) this.left = Infinity;
  }

  private takeData(cursor: Cursor): void {
    const length = Math.min(this.left, cursor.bytes.length - cursor.at);
    // Copied: a slice would keep the whole buffer alive.
    this.pieces.push(Buffer.from(cursor.bytes.subarray(cursor.at, cursor.at + Math.min(length, MAX_BODY_BYTES - this.size))));
    if (this.pieces.length > PIECES_KEPT_APART) this.pieces = [this.bytes];
    this.size += length;
    this.left -= length;
    cursor.at += length;
    if (this.size > MAX_BODY_BYTES) return this.finish(false);
    if (this.left > 0) return;
    if (this.framing.kind === 'length') this.finish(true);
    else this.expects = 'chunk-end';
  }

  private takeLine(text: string): void {
    if (this.expects === 'trailer') {
      if (text === '') this.finish(true);
    } else if (this.expects === 'chunk-end') {
      this.expects = 'chunk';
      if (text !== '') this.finish(false);
    } else this.takeChunkLine(text);
  }

  private takeChunkLine(text: string): void {
    const [, size] = CHUNK_SIZE.exec(text) ?? [];
    if (size === undefined) return this.finish(false);
    this.left = parseInt(size, 16);
    this.expects = this.left === 0 ? 'trailer' : 'data';
  }

  private finish(isComplete: boolean): void {
    this.isOver = true;
    this.isComplete = isComplete;
  }
}
