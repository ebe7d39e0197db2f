import type { Readable } from 'node:stream';

const NOTHING = Buffer.alloc(0);
const BEGINNING = 'HTTP/1.1 1';
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
/** 101 switches to another protocol than HTTP: it is left to the parser, which refuses it. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d/;
const HEAD_END = '\r\n\r\n';
/** Interim answers before one final answer, in all. */
const MOST_BYTES = 16 * 1024;
/** One final answer with head, framing and all that the parser skips: four times what is kept of any part. */
const MOST_RAW_BYTES = 64 * 1024;
/** Reads that one answer may take. */
const MOST_READS = 4_096;

/**
 * Removes interim (1xx) answers from what a connection receives, and bounds what it receives for one request. Stops a receiver
 * that keeps the process busy with interim answers, empty lines or single bytes without end: the parser reports none of them.
 * Removing is needed because a receiver may send 1xx unasked, and undici fails on a `100 Continue` that it did not expect.
 */
export class InterimAnswers {
  private isExpecting = false;
  private held: Buffer = NOTHING;
  private cut = 0;
  private bytes = 0;
  private reads = 0;

  constructor(private readonly socket: Readable) {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => this.without(read(size) as Buffer | null);
  }

  /** To be called when a request is sent: the next byte begins its answer. */
  expectAnswer(): void {
    this.isExpecting = true;
    this.cut = 0;
    this.bytes = 0;
    this.reads = 0;
  }

  private without(chunk: Buffer | null): Buffer | null {
    if (chunk === null) return null;
    // Checked before this chunk is counted: a long answer may arrive in one read, which has all that is needed of it.
    if (this.bytes > MOST_RAW_BYTES || ++this.reads > MOST_READS) return this.refuse();
    this.bytes += chunk.length;
    if (!this.isExpecting) return chunk;
    let rest = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    while (mayBeInterim(rest)) {
      const end = rest.indexOf(HEAD_END);
      const length = end < 0 ? rest.length : end + HEAD_END.length;
      if (this.cut + length > MOST_BYTES) return this.refuse();
      if (end < 0) return this.hold(rest);
      this.cut += length;
      rest = rest.subarray(length);
    }
    return this.passOn(rest);
  }

  /** Waits for the rest of a head. */
  private hold(head: Buffer): null {
    this.held = head;
    return null;
  }

  private refuse(): null {
    this.held = NOTHING;
    this.socket.destroy(new Error('too much before the final answer'));
    return null;
  }

  private passOn(bytes: Buffer): Buffer {
    this.isExpecting = false;
    this.held = NOTHING;
    return bytes;
  }
}

function mayBeInterim(bytes: Buffer): boolean {
  const status = bytes.toString('latin1', 0, STATUS_LENGTH);
  return status.length < STATUS_LENGTH ? BEGINNING.startsWith(status.slice(0, BEGINNING.length)) : INTERIM.test(status);
}
