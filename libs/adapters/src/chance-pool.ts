import { randomFillSync } from 'node:crypto';

/** Asking the system for chance costs far more than the bytes themselves, so they are fetched in advance. */
export class ChancePool {
  private readonly pool = Buffer.alloc(4096);
  private used = this.pool.length;

  /** The next bytes; valid until the next call. */
  take(count: number): Buffer {
    if (this.used + count > this.pool.length) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    this.used += count;
    return this.pool.subarray(this.used - count, this.used);
  }
}
