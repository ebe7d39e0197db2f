import { createHash } from 'node:crypto';
import type { Clock } from '@ports/clock.port';
import { encodeUlid, ID_PREFIXES, type IdKind } from '@domain/kernel/ids';
import { Ids } from '@ports/ids.port';
import { FakeClock } from './fake-clock.js';

/** Deterministic ids: the same seed gives the same ids in the same order. */
export class FakeIds extends Ids {
  private count = 0;

  constructor(
    private readonly clock: Clock = new FakeClock(),
    private readonly seed = 1,
  ) {
    super();
  }

  next(kind: IdKind, at = this.clock.now()): string {
    const chance = new Uint8Array(10);
    new DataView(chance.buffer).setUint32(2, this.seed);
    new DataView(chance.buffer).setUint32(6, ++this.count);
    return `${ID_PREFIXES[kind]}_${encodeUlid(at, chance)}`;
  }

  derived(kind: IdKind, at: number, ...parts: readonly string[]): string {
    return `${ID_PREFIXES[kind]}_${encodeUlid(at, digest(kind, ...parts))}`;
  }

  uuid(): string {
    return this.uuidOf('chance', `${this.seed}`, `${++this.count}`);
  }

  uuidOf(...parts: readonly string[]): string {
    const hex = digest(...parts).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  bytes(count: number): Uint8Array {
    const blocks: Buffer[] = [];
    for (let left = count; left > 0; left -= 32) blocks.push(this.block());
    return new Uint8Array(Buffer.concat(blocks).subarray(0, count));
  }

  chance(): number {
    return this.block().readUInt32BE(0) / 2 ** 32;
  }

  private block(): Buffer {
    return digest(`${this.seed}`, `${++this.count}`);
  }
}

const digest = (...parts: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();
