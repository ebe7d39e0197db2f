import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Clock } from '@ports/clock.port';
import type { BusMessage, ConsumeResult } from '@ports/message-bus.port';
import type { PartitionState, Wait } from './partition-state.js';
import type { UnfinishedCalls } from './unfinished-calls.js';

const OFFERED_AGAIN_AFTER_MS = 1_000;

export type Handler = (message: BusMessage) => Promise<ConsumeResult>;

export interface Offering {
  owned(topic: string, partition: number): PartitionState | undefined;
  /** Stops fetching the partition until the wait is over. */
  hold(partition: PartitionState, wait: Wait): void;
}

/**
 * Offers a batch in order until a message has to wait: it stays unresolved, so it is fetched again. Throws only what the driver's heartbeat
 * throws: six errors end a consumer, some at once.
 */
export class BatchRunner {
  constructor(
    private readonly nameOf: ReadonlyMap<string, string>,
    private readonly handler: Handler,
    private readonly clock: Clock,
    private readonly unfinished: UnfinishedCalls,
    private readonly member: Offering,
  ) {}

  async offer({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const partition = this.member.owned(batch.topic, batch.partition);
    const [first] = batch.messages;
    if (!partition || !first) return;
    const { progress } = partition;
    progress.reads(BigInt(first.offset));
    const isMine = () => this.member.owned(batch.topic, batch.partition) === partition && partition.progress === progress;
    for (const message of batch.messages) {
      if (!isRunning() || isStale() || !isMine()) return;
      if (!progress.isTaken(BigInt(message.offset))) {
        const result = await this.answer(partition, message);
        if (result.kind !== 'accepted' && isMine()) return this.member.hold(partition, result);
      }
      // The driver throws if another member got the partition meanwhile.
      if (!isMine()) return;
      resolveOffset(message.offset);
      await heartbeat();
    }
  }

  private async answer(partition: PartitionState, message: KafkaMessage): Promise<ConsumeResult> {
    const { progress } = partition;
    const answered = this.ask(partition, message).then((result) => {
      if (result.kind !== 'accepted') return result;
      this.unfinished.add(result.done);
      progress.take(BigInt(message.offset), result.done);
      return result;
    });
    this.unfinished.add(answered);
    return answered;
  }

  private async ask(assignment: PartitionState, { key, value, offset }: KafkaMessage): Promise<ConsumeResult> {
    const { topic, number: partition } = assignment;
    const content = { key: key?.toString() ?? '', value: value?.toString() ?? '' };
    try {
      return await this.handler({ topic: this.nameOf.get(topic) ?? topic, partition, offset, ...content, assignment });
    } catch {
      return { kind: 'held', until: this.clock.now() + OFFERED_AGAIN_AFTER_MS };
    }
  }
}
