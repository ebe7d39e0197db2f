import type { Readable } from 'node:stream';

const NOTHING = Buffer.alloc(0);
const BEGINNING = 'HTTP/1.1 1';
const STATUS_LENGTH = 'HTTP/1.1 100'.length;
/** After 101 something else than HTTP is spoken: that one is left to the parser, which refuses it. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d/;
const HEAD_END = '\r\n\r\n';
const LONGEST_HEAD = 16 * 1024;

/**
 * Cuts interim answers out of what a connection receives. A receiver may send them unasked before its answer, and
 * undici takes a `100 Continue` for the end of the connection.
 */
export class InterimAnswers {
  private isExpecting = false;
  private held: Buffer = NOTHING;

  constructor(socket: Readable) {
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => this.without(read(size) as Buffer | null);
  }

  /** A request is sent: an answer begins with the next byte. */
  expectAnswer(): void {
    this.isExpecting = true;
  }

  private without(chunk: Buffer | null): Buffer | null {
    if (!this.isExpecting || chunk === null) return chunk;
    let rest = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    while (mayBeInterim(rest)) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0) return this.hold(rest);
      rest = rest.subarray(end + HEAD_END.length);
    }
    return this.passOn(rest);
  }

  /** Until it is all there, within bounds. */
  private hold(head: Buffer): Buffer | null {
    if (head.length > LONGEST_HEAD) return this.passOn(head);
    this.held = head;
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
