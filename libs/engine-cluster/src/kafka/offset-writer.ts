import type { Consumer } from 'kafkajs';
import type { OffsetReader } from './offset-reader.js';
import type { PartitionState } from './partition-state.js';

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
   * Stores the offset before which everything is consumed. The driver may retry it after a rebalance and move another owner's offset
   * back; messages are then offered twice.
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
   * Topics deleted since an offset was stored, and perhaps recreated: brokers delete a group's offsets with the topic. The driver continues
   * at its old position in the new log and would miss what comes before it.
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
