import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Clock } from '@ports/clock.port';
import type { BusMessage, ConsumeResult } from '@ports/message-bus.port';
import type { PartitionState, Wait } from './partition-state.js';
import type { UnfinishedCalls } from './unfinished-calls.js';

const OFFERED_AGAIN_AFTER_MS = 1_000;

export type Handler = (message: BusMessage) => Promise<ConsumeResult>;

/** The member whose messages are offered. */
export interface Offering {
  /** The partition while the member owns it and takes messages. */
  owned(topic: string, partition: number): PartitionState | undefined;
  /** Keeps the partition from being fetched until the wait is over. */
  hold(partition: PartitionState, wait: Wait): void;
}

/**
 * Offers the messages of a batch in order, until one has to wait: it is left unresolved, and so fetched again. Nothing is thrown
 * but what the driver's heartbeat throws, as six errors end a consumer, and some do at once.
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
      // The driver throws for a partition that another member got meanwhile.
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

  private async ask({ topic, number }: PartitionState, { key, value, offset }: KafkaMessage): Promise<ConsumeResult> {
    const content = { key: key?.toString() ?? '', value: value?.toString() ?? '' };
    try {
      return await this.handler({ topic: this.nameOf.get(topic) ?? topic, partition: number, offset, ...content });
    } catch {
      return { kind: 'held', until: this.clock.now() + OFFERED_AGAIN_AFTER_MS };
    }
  }
}
