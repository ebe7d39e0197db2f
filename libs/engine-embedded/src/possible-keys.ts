const BITS = 2 ** 23;
const PROBES = 4;
/** Beyond this too many answers are mere suspicions. */
const MOST_KEYS = 1_000_000;

/** Tells in a fraction of a microsecond that a key was never added (a Bloom filter); 1 MiB for a million keys. */
export class PossibleKeys {
  private readonly bits = new Uint8Array(BITS / 8);
  private added = 0;

  get full(): boolean {
    return this.added >= MOST_KEYS;
  }

  add(key: string): void {
    this.added += 1;
    const [first, step] = hashesOf(key);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + probe * step) % BITS;
      this.bits[bit >>> 3] = (this.bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  /** False: certainly not. True: perhaps. */
  mayHave(key: string): boolean {
    const [first, step] = hashesOf(key);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + probe * step) % BITS;
      if (((this.bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}

/** Two independent FNV-1a hashes in one pass. */
function hashesOf(key: string): readonly [number, number] {
  let first = 0x811c9dc5;
  let second = 0x01000193;
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x5bd1e995);
  }
  return [first >>> 0, (second | 1) >>> 0];
}
