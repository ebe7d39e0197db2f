import { BodyReader, framingOf, SWITCHING_PROTOCOLS } from './body-reader.js';
import { HeadReader } from './head-reader.js';
import { LineReader, type Cursor, type Line } from './line-reader.js';

const MAX_LINE_LENGTH = 8 * 1024;
/** Bytes before the final answer, interim answers included: more than any honest receiver sends. */
const MAX_BYTES_BEFORE = 256 * 1024;
/** One final answer with everything skipped: three times what is kept of any part. */
const MAX_RAW_BYTES = 64 * 1024;
const MAX_READS = 4_096;

const PROTOCOL = 'HTTP';
const USUAL = /^HTTP\/1\.1[ \t]+\d{3}(?=[ \t\r]|$)/;
const STATUS = /^HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+([1-9]\d\d)(?!\d)/i;
const STATUS_BEGUN = /^HTTP(?:\/\d+(?:\.\d+)?)?[ \t]+[1-9]\d\d\D/i;
const KEEP_ALIVE_SECONDS = /^timeout=(\d{1,6})$/;

/**
 * Reads the answer to one request, however malformed: once a status line has come, nothing after it takes the status back. Skips interim
 * (1xx) answers, but 101 is final. Stops receivers that send endless heads, interim answers, empty lines, chunks or single bytes.
 */
export class AnswerReader {
  isOver = false;
  hasHead = false;
  readonly head = new HeadReader();
  body: BodyReader | null = null;
  private phase: 'status' | 'interim' | 'reason' | 'head' | 'body' = 'status';
  private final: { readonly status: number; readonly isNewest: boolean } | null = null;
  private readonly lines = new LineReader(MAX_LINE_LENGTH);
  private hasExcess = false;
  private hasBegun = false;
  private before = 0;
  private bytes = 0;
  arrived = 0;

  get status(): number | null {
    return this.final?.status ?? null;
  }

  /** Whether no byte of an answer has come; stray bytes do not count. */
  get isUntouched(): boolean {
    return !this.hasBegun;
  }

  get isReusable(): boolean {
    if (!this.body?.isComplete || this.hasExcess || this.head.isOdd) return false;
    const connection = this.head.listOf('connection');
    return this.final?.isNewest === true ? !connection.includes('close') : connection.includes('keep-alive');
  }

  /** How long the receiver keeps idle connections, in milliseconds; null if not stated. */
  get keptAliveMs(): number | null {
    const [seconds] = this.head.listOf('keep-alive').flatMap((each) => KEEP_ALIVE_SECONDS.exec(each)?.[1] ?? []);
    return seconds === undefined ? null : Number(seconds) * 1_000;
  }

  take(chunk: Buffer): void {
    // Checked before counting this chunk: a long answer may arrive in one read, with all that is needed.
    if (this.bytes > MAX_RAW_BYTES || ++this.arrived > MAX_READS) return this.stop();
    if (this.final) this.bytes += chunk.length;
    const cursor: Cursor = { bytes: chunk, at: 0 };
    while (cursor.at < chunk.length && !this.isOver) this.step(cursor);
    if (cursor.at < chunk.length) this.hasExcess = true;
  }

  /** Call when no more comes: the connection has ended, or time is up. A status in an incomplete line still counts. */
  end(hasEnded: boolean): void {
    if (this.isOver) return;
    if (this.phase === 'status') this.noteStatus(this.lines.begun.trimStart());
    if (hasEnded) this.body?.end();
    this.stop();
  }

  private step(cursor: Cursor): void {
    if (this.body) {
      this.body.take(cursor);
      if (this.body.isOver) this.isOver = true;
      return;
    }
    const from = cursor.at;
    this.takeLine(this.lines.next(cursor));
    if (this.phase !== 'status' && this.phase !== 'interim') return;
    this.before += cursor.at - from;
    if (this.before > MAX_BYTES_BEFORE) this.stop();
  }

  private takeLine(line: Line | null): void {
    if (this.phase === 'status') this.takeStatus(line?.text ?? null);
    else if (!line) return;
    else if (this.phase === 'reason') this.phase = 'head';
    else if (this.phase === 'interim') this.takeInterim(line.text);
    else if (line.text === '') this.beginBody();
    else this.head.take(line);
  }

  /** The status line, or as much as has come (null). Skips empty lines and spaces before it. */
  private takeStatus(text: string | null): void {
    const begun = (text ?? this.lines.begun).trimStart();
    if (begun === '') return;
    if (!PROTOCOL.startsWith(begun.slice(0, PROTOCOL.length).toUpperCase())) return this.stop();
    this.hasBegun = true;
    if (text === null && !STATUS_BEGUN.test(begun)) return;
    this.noteStatus(begun);
    if (text !== null) this.endStatus();
  }

  private endStatus(): void {
    if (this.phase === 'status') this.stop();
    else if (this.phase === 'reason') this.phase = 'head';
  }

  /** An interim answer ends with an empty line or, if that is missing, with the next status line. */
  private takeInterim(text: string): void {
    if (text === '') {
      this.phase = 'status';
      return;
    }
    this.noteStatus(text);
    if (this.phase !== 'interim') this.head.isOdd = true;
    this.endStatus();
  }

  private noteStatus(text: string): void {
    const [, code = ''] = STATUS.exec(text) ?? [];
    const status = Number(code);
    if (status >= 200 || status === SWITCHING_PROTOCOLS) {
      this.final = { status, isNewest: USUAL.test(text) };
      this.phase = 'reason';
    } else if (status >= 100) this.phase = 'interim';
  }

  private beginBody(): void {
    this.head.close();
    this.hasHead = true;
    this.phase = 'body';
    this.body = new BodyReader(framingOf(this.final?.status ?? 0, this.head));
    if (this.body.isOver) this.isOver = true;
  }

  private stop(): void {
    this.isOver = true;
    if (this.hasHead || !this.final) return;
    this.head.close();
    this.head.isTruncated = true;
  }
}
