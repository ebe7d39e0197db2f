import { hash, randomBytes, randomUUID } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, type IdKind } from '@domain/kernel/ids';
import type { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { ChancePool } from './chance-pool.js';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SUCCESSOR = new Map([...ALPHABET].map((letter, index) => [letter, ALPHABET.charAt(index + 1)]));

/** ULIDs that never go backwards within this process. */
export class UlidIds extends Ids {
  private readonly pool = new ChancePool();
  private lastTime = -1;
  private lastUlid = '';

  constructor(private readonly clock: Clock) {
    super();
  }

  next(kind: IdKind, at?: number): string {
    return `${ID_PREFIXES[kind]}_${this.ulid(at)}`;
  }

  derived(kind: IdKind, at: number, ...parts: readonly string[]): string {
    return `${ID_PREFIXES[kind]}_${encodeUlid(at, digestOf(kind, ...parts))}`;
  }

  uuid(): string {
    return randomUUID();
  }

  uuidOf(...parts: readonly string[]): string {
    const bytes = digestOf(...parts).subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(randomBytes(count));
  }

  chance(): number {
    return this.pool.take(6).readUIntBE(0, 6) / 2 ** 48;
  }

  private ulid(at: number | undefined): string {
    const now = this.clock.now();
    const time = at ?? Math.max(now, this.lastTime);
    if (time === this.lastTime) return (this.lastUlid = successorOf(this.lastUlid));
    const ulid = encodeUlid(time, this.freshChance());
    // An instant named by the caller may lie behind or ahead; only the running present carries the order on.
    if (time > this.lastTime && time <= now) {
      this.lastTime = time;
      this.lastUlid = ulid;
    }
    return ulid;
  }

  /** The top bit stays free, so that counting on within a millisecond cannot overflow. */
  private freshChance(): Buffer {
    const chance = this.pool.take(10);
    chance.writeUInt8(chance.readUInt8(0) & 0x7f, 0);
    return chance;
  }
}

function successorOf(ulid: string): string {
  const next = SUCCESSOR.get(ulid.charAt(ulid.length - 1));
  return next ? ulid.slice(0, -1) + next : `${successorOf(ulid.slice(0, -1))}0`;
}

/** Unlike joined text, JSON keeps ("ab", "c") and ("a", "bc") apart. */
const digestOf = (...parts: readonly string[]): Buffer => hash('sha256', JSON.stringify(parts), 'buffer');
