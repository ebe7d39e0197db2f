import { isUtf8 } from 'node:buffer';
import type { Line } from './line-reader.js';

export type Field = readonly [name: string, value: string];

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]+/g;
// oxlint-disable-next-line no-control-regex -- the complement of ASCII
const BEYOND_ASCII = /[^\u0000-\u007f]/;
/** More than any answer needs; the delivery log keeps less. */
const MAX_FIELDS = 128;
const OF_THE_FRAMING = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/** Reads the header lines of an answer; drops unreadable ones. */
export class HeadReader {
  readonly fields: Field[] = [];
  isTruncated = false;
  /** Malformed: the connection must not carry another request. */
  isOdd = false;
  private readonly framing: Field[] = [];
  private begun: { name: string; value: string } | null = null;

  take({ text, isBare, isCut }: Line): void {
    if (isCut) this.isTruncated = true;
    if (isBare || isCut) this.isOdd = true;
    if (text.startsWith(' ') || text.startsWith('\t')) return this.fold(text);
    this.close();
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(colon, 0)).trimEnd();
    if (!TOKEN.test(name)) return this.leaveOut();
    if (name.length < colon) this.isOdd = true;
    this.begun = { name: name.toLowerCase(), value: text.slice(colon + 1).trim() };
  }

  /** Call at the end of the head, or of what has come of it. */
  close(): void {
    if (!this.begun) return;
    const { name, value } = this.begun;
    this.begun = null;
    const plain = value.replace(CONTROLS, '');
    if (plain.length < value.length) this.leaveOut();
    const field: Field = [name, decoded(plain)];
    if (OF_THE_FRAMING.has(name)) this.framing.push(field);
    if (this.fields.length < MAX_FIELDS) this.fields.push(field);
    else this.isTruncated = true;
  }

  listOf(name: 'connection' | 'content-length' | 'keep-alive' | 'transfer-encoding'): readonly string[] {
    const values = this.framing.filter(([known]) => known === name).flatMap(([, value]) => value.split(','));
    return values.map((value) => value.trim().toLowerCase());
  }

  /** Continues the previous line (obsolete line folding). */
  private fold(text: string): void {
    this.isOdd = true;
    if (this.begun) this.begun.value = `${this.begun.value} ${text.trim()}`.trim();
    else this.isTruncated = true;
  }

  private leaveOut(): void {
    this.isTruncated = true;
    this.isOdd = true;
  }
}

/** Latin-1 by standard, UTF-8 by custom. */
function decoded(latin1: string): string {
  if (!BEYOND_ASCII.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : latin1;
}
