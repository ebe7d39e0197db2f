import { hash, randomBytes, randomUUID } from 'node:crypto';
import { encodeUlid, ID_PREFIXES, ULID_ALPHABET, type IdKind } from '@domain/kernel/ids';
import type { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { ChancePool } from './chance-pool.js';

const VARIANTS = '89ab';
const SUCCESSOR = new Map([...ULID_ALPHABET].map((letter, index) => [letter, ULID_ALPHABET.charAt(index + 1)]));

/** ULIDs, strictly increasing within this process. */
export class UlidIds extends Ids {
  private readonly pool = new ChancePool();
  /** Scratch space for a digest's first bytes: parsing them from text costs a third of asking for a buffer. */
  private readonly digits = new Uint8Array(10);
  private lastTime = -1;
  private lastUlid = '';

  constructor(private readonly clock: Clock) {
    super();
  }

  next(kind: IdKind, at?: number): string {
    return `${ID_PREFIXES[kind]}_${this.ulid(at)}`;
  }

  derived(kind: IdKind, at: number, ...parts: readonly string[]): string {
    const digest = hash('sha256', kind + framed(parts), 'binary');
    for (let index = 0; index < this.digits.length; index++) this.digits[index] = digest.charCodeAt(index);
    return `${ID_PREFIXES[kind]}_${encodeUlid(at, this.digits)}`;
  }

  uuid(): string {
    return randomUUID();
  }

  uuidOf(...parts: readonly string[]): string {
    const hex = hash('sha256', framed(parts), 'hex');
    const variant = VARIANTS.charAt(parseInt(hex.charAt(16), 16) & 3);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
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
    // Only the present advances the order; a caller's instant may be any time.
    if (time > this.lastTime && time <= now) {
      this.lastTime = time;
      this.lastUlid = ulid;
    }
    return ulid;
  }

  /** The top bit is zero, so that counting up within a millisecond cannot overflow. */
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

/** Length-prefixed, so that ("ab", "c") and ("a", "bc") differ. */
function framed(parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return text;
}
