import type { Readable } from 'node:stream';

const NOTHING = Buffer.alloc(0);
const BEGINNING = 'HTTP/1.1 1';
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
/** After 101 something else than HTTP is spoken: that one is left to the parser, which refuses it. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d/;
const HEAD_END = '\r\n\r\n';
/** Of one answer, in all. */
const MOST_BYTES = 16 * 1024;
/** Of one answer with its head, its framing and whatever its parser passes over: four times what is kept of any part. */
const MOST_RAW_BYTES = 64 * 1024;
/** In which it may come. */
const MOST_READS = 4_096;

/**
 * Cuts interim answers out of what a connection receives. A receiver may send them unasked before its answer, and
 * undici takes a `100 Continue` for the end of the connection. Whoever never comes to an end is cut off: of empty lines
 * the parser tells nobody.
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

  /** A request is sent: an answer begins with the next byte. */
  expectAnswer(): void {
    this.isExpecting = true;
    this.cut = 0;
    this.bytes = 0;
    this.reads = 0;
  }

  private without(chunk: Buffer | null): Buffer | null {
    if (chunk === null) return null;
    // A long answer can come in one read, with all that is needed of it.
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

  /** Until it is all there. */
  private hold(head: Buffer): null {
    this.held = head;
    return null;
  }

  /** Who never comes to the answer would keep the process busy until the deadline. */
  private refuse(): null {
    this.held = NOTHING;
    this.socket.destroy(new Error('an answer without end'));
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
