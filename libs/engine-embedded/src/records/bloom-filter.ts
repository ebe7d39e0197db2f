const PROBES = 4;

/** Tells in a fraction of a microsecond that a key was never added (a Bloom filter); a byte for each key it has room for. */
export class BloomFilter {
  private readonly bytes: Uint8Array;
  private readonly bits: number;
  private added = 0;

  constructor(private readonly room: number) {
    this.bytes = new Uint8Array(room);
    this.bits = room * 8;
  }

  /** With more keys than this too many answers are mere suspicions. */
  get full(): boolean {
    return this.added >= this.room;
  }

  /** By its `keyHash`, as below. */
  add(hash: number): void {
    this.added += 1;
    const step = stepOf(hash);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (hash + probe * step) % this.bits;
      const at = Math.floor(bit / 8);
      this.bytes[at] = (this.bytes[at] ?? 0) | (1 << (bit & 7));
    }
  }

  /** False: certainly not. True: perhaps. */
  mayHave(hash: number): boolean {
    const step = stepOf(hash);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (hash + probe * step) % this.bits;
      if (((this.bytes[Math.floor(bit / 8)] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}

/** Of two keys that share their first bit the others lie elsewhere. */
function stepOf(hash: number): number {
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1) >>> 0;
}
