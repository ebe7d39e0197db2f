import type { Consumer } from 'kafkajs';
import type { OffsetReader } from './offset-reader.js';
import type { PartitionState } from './partition-state.js';

/** Stores the group's offsets for the partitions that a member owns. */
export class OffsetWriter {
  constructor(
    private readonly consumer: Pick<Consumer, 'commitOffsets'>,
    private readonly offsets: OffsetReader,
    private readonly owned: () => readonly PartitionState[],
  ) {}

  get isDue(): boolean {
    return this.marks().length > 0;
  }

  /**
   * Stores up to where everything is done. The driver retries it, also after a rebalance: another owner's offset may then go back,
   * and messages are offered once more.
   */
  async store(): Promise<void> {
    const marks = this.marks();
    if (marks.length === 0) return;
    await this.consumer.commitOffsets(
      marks.map(({ partition: { topic, number }, low }) => ({ topic, partition: number, offset: String(low) })),
    );
    for (const { progress, low } of marks) progress.commits(low);
  }

  /**
   * The topics that were deleted since an offset was stored, and made again or not: brokers delete the offsets of a group with
   * the topic. The driver goes on in a log of the same name at its old position, and would miss what is before that.
   */
  async lostTopics(): Promise<readonly string[]> {
    const known = this.owned().filter(({ progress }) => progress.committed !== undefined);
    const lost: string[] = [];
    for (const topic of new Set(known.map((partition) => partition.topic))) {
      const stored = await this.offsets.of(topic);
      if (known.some((each) => each.topic === topic && stored.get(each.number) === null)) lost.push(topic);
    }
    return lost;
  }

  private marks() {
    return this.owned().flatMap((partition) => {
      const { progress } = partition;
      const { low, committed } = progress;
      return low === undefined || low === committed ? [] : [{ partition, progress, low }];
    });
  }
}
