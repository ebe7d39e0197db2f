import { LowWatermark } from '@kit/low-watermark';

/** The messages that a member has accepted of a partition, and the offset before which all are consumed. */
export class PartitionProgress {
  private taken = new LowWatermark<bigint>();
  private next: bigint | undefined;
  /** No older message is read again while the partition's log is the same. */
  private floor = 0n;
  private stored: bigint | undefined;

  /** The next offset to offer; undefined before the first read. */
  get position(): bigint | undefined {
    return this.next;
  }

  /** Everything before this offset is done; undefined before the first read. */
  get low(): bigint | undefined {
    return this.taken.oldest ?? this.next;
  }

  get committed(): bigint | undefined {
    return this.stored;
  }

  /** Messages from this offset on were read. An offset below the floor belongs to another log: forgets the old one. */
  reads(first: bigint): void {
    if (this.next !== undefined && first >= this.floor) return;
    this.taken = new LowWatermark();
    this.next = first;
    this.floor = first;
    this.stored = undefined;
  }

  /** Whether the message was accepted before: after a rebalance reading resumes at the group's offset. */
  isTaken(offset: bigint): boolean {
    return this.next !== undefined && offset < this.next;
  }

  take(offset: bigint, done: Promise<void>): void {
    const finish = this.taken.take(offset);
    this.next = offset + 1n;
    done.then(finish, finish);
  }

  /** The group's offset was stored; one of an earlier log is ignored. */
  commits(offset: bigint): void {
    if (this.low === undefined || offset > this.low) return;
    this.stored = offset;
    this.floor = offset;
  }
}
