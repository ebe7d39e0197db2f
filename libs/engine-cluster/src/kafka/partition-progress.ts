import { LowWatermark } from '@kit/low-watermark';

/** How far one member is with one partition: what it accepted, and up to where all of that is done. */
export class PartitionProgress {
  /** Accepted messages. */
  private taken = new LowWatermark<bigint>();
  private next: bigint | undefined;
  /** No older message is read again while the partition's log is the same. */
  private floor = 0n;
  private stored: bigint | undefined;

  /** The offset of the message to offer next; undefined until one was read. */
  get position(): bigint | undefined {
    return this.next;
  }

  /** The offset before which everything is done; undefined until a message was read. */
  get low(): bigint | undefined {
    return this.taken.oldest ?? this.next;
  }

  /** The group's offset where this member has stored it; undefined where it has not yet. */
  get committed(): bigint | undefined {
    return this.stored;
  }

  /** Messages from this offset on were read. An offset below all that may be read again is that of another log: forgets this one. */
  reads(first: bigint): void {
    if (this.next !== undefined && first >= this.floor) return;
    this.taken = new LowWatermark();
    this.next = first;
    this.floor = first;
    this.stored = undefined;
  }

  /** Whether the message was accepted before: a rebalance starts again from the group's offset. */
  isTaken(offset: bigint): boolean {
    return this.next !== undefined && offset < this.next;
  }

  /** The message was accepted, and `done` settles when it is consumed. */
  take(offset: bigint, done: Promise<void>): void {
    const finish = this.taken.take(offset);
    this.next = offset + 1n;
    done.then(finish, finish);
  }

  /** The group's offset was stored; that of a log before this one does not count. */
  commits(offset: bigint): void {
    if (this.low === undefined || offset > this.low) return;
    this.stored = offset;
    this.floor = offset;
  }
}
