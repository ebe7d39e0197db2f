const PROBES = 4;

/** Tells in a fraction of a microsecond that a key was never added (a Bloom filter); a byte for each key it has room for. */
export class PossibleKeys {
  private readonly bytes: Uint8Array;
  private added = 0;

  constructor(private readonly room: number) {
    this.bytes = new Uint8Array(room);
  }

  /** With more keys than this too many answers are mere suspicions. */
  get full(): boolean {
    return this.added >= this.room;
  }

  add(key: string): void {
    this.added += 1;
    const [first, step] = hashesOf(key);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + probe * step) % (this.room * 8);
      const at = Math.floor(bit / 8);
      this.bytes[at] = (this.bytes[at] ?? 0) | (1 << (bit & 7));
    }
  }

  /** False: certainly not. True: perhaps. */
  mayHave(key: string): boolean {
    const [first, step] = hashesOf(key);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (first + probe * step) % (this.room * 8);
      if (((this.bytes[Math.floor(bit / 8)] ?? 0) & (1 << (bit & 7))) === 0) return false;
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
