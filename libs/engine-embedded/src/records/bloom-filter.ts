const PROBES = 4;

/** A Bloom filter: says quickly that a key was certainly never added. It takes one byte per key that it has room for. */
export class BloomFilter {
  private readonly bytes: Uint8Array;
  private readonly bits: number;
  private added = 0;

  constructor(private readonly room: number) {
    this.bytes = new Uint8Array(room);
    this.bits = room * 8;
  }

  /** Whether there are so many keys that too many answers would be false positives. */
  get full(): boolean {
    return this.added >= this.room;
  }

  /** Adds a key by its `keyHash`. */
  add(hash: number): void {
    this.added += 1;
    const step = stepOf(hash);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (hash + probe * step) % this.bits;
      const at = Math.floor(bit / 8);
      this.bytes[at] = (this.bytes[at] ?? 0) | (1 << (bit & 7));
    }
  }

  /** False when a key with this `keyHash` was certainly never added; true when it may have been. */
  mayHave(hash: number): boolean {
    const step = stepOf(hash);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (hash + probe * step) % this.bits;
      if (((this.bytes[Math.floor(bit / 8)] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}

/** A second hash: keys that share their first bit rarely share the others. */
function stepOf(hash: number): number {
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1) >>> 0;
}
