import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { isId, timeOfId, type IdKind } from '@domain/kernel/ids';
import type { SortKey } from '@ports/read-models.port';
import { Secrets } from '@ports/secrets.port';

/** The list a cursor belongs to. */
export interface ListName {
  /** Plural, as in the URL. */
  readonly list: string;
  /** The kind of its items' public ids. */
  readonly idKind: IdKind;
  /** What its sort ids are counted in: the log's identity, narrowed where they are counted in less than the whole log. */
  readonly log: string;
}

/** The list as far as it is known before anything is looked up. */
export type ListKind = Pick<ListName, 'list' | 'idKind'>;

/** Where a cursor points: at a place of this list, at an item known by its id, or merely at an instant. */
export type Pointer =
  | { readonly at: 'key'; readonly key: SortKey }
  | { readonly at: 'id'; readonly id: string }
  | { readonly at: 'time'; readonly time: number };

export type CursorParam = 'starting_after' | 'ending_before';

const PREFIX = 'cur_';
const VERSION = 1;
const LOG_BYTES = 8;
const TIME_BYTES = 6;
const SEAL_BYTES = 10;
const MAX_LENGTH = 300;
export const CURSOR_PATTERN = `^${PREFIX}[A-Za-z0-9_-]{1,${MAX_LENGTH - PREFIX.length}}$`;

/** Makes and reads the opaque tokens that lists are walked with. */
@Injectable()
export class Cursors {
  /** Most lists are counted in the one log. */
  private lastLog: { readonly log: string; readonly mark: Buffer } | null = null;

  constructor(private readonly secrets: Secrets) {}

  /** `cur_…`: the place just past an item, sealed, good for as long as the installation's key. */
  encode({ list, log }: ListName, { createdAt, sortId }: SortKey): string {
    const name = Buffer.byteLength(list);
    const end = 2 + name + LOG_BYTES + TIME_BYTES + Buffer.byteLength(sortId);
    const bytes = Buffer.allocUnsafe(end + SEAL_BYTES);
    bytes[0] = VERSION;
    bytes[1] = name;
    bytes.write(list, 2);
    bytes.set(this.logMark(log), 2 + name);
    bytes.writeUIntBE(createdAt, 2 + name + LOG_BYTES, TIME_BYTES);
    bytes.write(sortId, 2 + name + LOG_BYTES + TIME_BYTES);
    bytes.set(this.sealOf(bytes.subarray(0, end)), end);
    return PREFIX + bytes.toString('base64url');
  }

  /** What a client's `starting_after` or `ending_before` points at; refuses what we never handed out. */
  read(name: ListName, text: string, param: CursorParam): Pointer {
    const body = this.sealedIn(name, text, param);
    return body === null ? { at: 'id', id: text } : this.pointer(body.subarray(2 + Buffer.byteLength(name.list)), name.log);
  }

  /** What a cursor of the list holds, null of a public id; refuses anything else. */
  sealedIn({ list, idKind }: ListKind, text: string, param: CursorParam): Buffer | null {
    if (isId(idKind, text)) return null;
    const body = this.unseal(text);
    if (!body || !belongsTo(body, list)) throw new DomainError('cursor_invalid', 'No cursor of this list.', { param });
    return body;
  }

  private pointer(rest: Buffer, log: string): Pointer {
    const createdAt = rest.readUIntBE(LOG_BYTES, TIME_BYTES);
    const sameLog = rest.subarray(0, LOG_BYTES).equals(this.logMark(log));
    if (!sameLog) return { at: 'time', time: createdAt };
    return { at: 'key', key: { createdAt, sortId: rest.toString('utf8', LOG_BYTES + TIME_BYTES) } };
  }

  private unseal(text: string): Buffer | null {
    if (!text.startsWith(PREFIX) || text.length > MAX_LENGTH) return null;
    const encoded = text.slice(PREFIX.length);
    const bytes = Buffer.from(encoded, 'base64url');
    const canonical = bytes.toString('base64url') === encoded;
    if (!canonical || bytes.length < 2 + LOG_BYTES + TIME_BYTES + SEAL_BYTES) return null;
    const body = bytes.subarray(0, -SEAL_BYTES);
    const sealed = bytes.toString('hex', bytes.length - SEAL_BYTES);
    return this.secrets.equal(sealed, this.sealOf(body).toString('hex')) ? body : null;
  }

  private logMark(log: string): Buffer {
    if (this.lastLog?.log !== log) {
      this.lastLog = { log, mark: Buffer.from(this.secrets.hash(log), 'hex').subarray(0, LOG_BYTES) };
    }
    return this.lastLog.mark;
  }

  private sealOf(body: Buffer): Buffer {
    return Buffer.from(this.secrets.keyedHash('cursor', body.toString('base64url')), 'hex').subarray(0, SEAL_BYTES);
  }
}

/** Comes before every sort id, that of the first place included. */
export const BEFORE_ANY = '';

/** The key from which every item of the instant `time` still lies ahead: nothing is lost where only the time is known. */
export function keyOfTime(time: number, order: 'desc' | 'asc'): SortKey {
  return { createdAt: order === 'desc' ? time + 1 : time, sortId: BEFORE_ANY };
}

/** The key that an id stands for when nothing of that name is found. */
export function keyOfUnknown(id: string, order: 'desc' | 'asc'): SortKey {
  return keyOfTime(timeOfId(id), order);
}

function belongsTo(body: Buffer, list: string): boolean {
  const length = body[1] ?? 0;
  return body[0] === VERSION && body.toString('utf8', 2, 2 + length) === list;
}
