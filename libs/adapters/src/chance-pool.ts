import { randomFillSync } from 'node:crypto';

/** Random bytes fetched in advance: a system call costs far more than the bytes. */
export class ChancePool {
  private readonly pool = Buffer.alloc(4096);
  private used = this.pool.length;

  /** The next random bytes, in a buffer valid until the next call. */
  take(count: number): Buffer {
    if (this.used + count > this.pool.length) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    this.used += count;
    return this.pool.subarray(this.used - count, this.used);
  }
}
