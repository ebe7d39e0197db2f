import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { timeOfId } from '@domain/kernel/ids';
import type { SortKey } from '@ports/read-models.port';
import { Secrets } from '@ports/secrets.port';
import { isItemId, type ItemId } from './item-id.js';

export interface ListName {
  readonly list: string;
  readonly idKind: ItemId;
  /** The scope of its sort ids: the log's identity, narrowed where they count less than the whole log. */
  readonly log: string;
}

/** The list as far as it is known before anything is looked up. */
export type ListKind = Pick<ListName, 'list' | 'idKind'>;

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

@Injectable()
export class Cursors {
  /** Most lists share one log. */
  private lastLog: { readonly log: string; readonly mark: Buffer } | null = null;

  constructor(private readonly secrets: Secrets) {}

  /** `cur_…`: the place just past an item, sealed; valid as long as the installation's key. */
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

  /** Reads `starting_after` or `ending_before`; refuses cursors that the service never issued. */
  read(name: ListName, text: string, param: CursorParam): Pointer {
    const body = this.sealedIn(name, text, param);
    return body === null ? { at: 'id', id: text } : this.pointer(body.subarray(2 + Buffer.byteLength(name.list)), name.log);
  }

  /** The content of a cursor of this list, null for an item's id; refuses anything else. */
  sealedIn({ list, idKind }: ListKind, text: string, param: CursorParam): Buffer | null {
    if (isItemId(idKind, text)) return null;
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

/** Sorts before every sort id, that of the first place included. */
export const BEFORE_ANY = '';

/** The key ahead of every item of the instant `time`, so that no item is skipped where only the time is known. */
export function keyOfTime(time: number, order: 'desc' | 'asc'): SortKey {
  return { createdAt: order === 'desc' ? time + 1 : time, sortId: BEFORE_ANY };
}

/** The key for an id that is not found. */
export function keyOfUnknown(id: string, order: 'desc' | 'asc'): SortKey {
  return keyOfTime(timeOfId(id), order);
}

function belongsTo(body: Buffer, list: string): boolean {
  const length = body[1] ?? 0;
  return body[0] === VERSION && body.toString('utf8', 2, 2 + length) === list;
}
