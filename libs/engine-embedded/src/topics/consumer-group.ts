import { Clock } from '@ports/clock.port';
import type { Subscription } from '@ports/message-bus.port';
import { type Handler, PartitionPump } from './partition-pump.js';
import type { StoredMessages } from './stored-messages.js';
import type { PlacedMessage, Topic } from './topic.js';
import type { WriteQueue } from '../writer/write-queue.js';

interface Member {
  readonly topics: readonly Topic[];
  readonly handler: Handler;
}

export class ConsumerGroup {
  private readonly members: Member[] = [];
  /** By topic id; created for the topic's first member and kept. */
  private readonly pumps = new Map<number, readonly PartitionPump[]>();

  constructor(
    private readonly name: string,
    private readonly stored: StoredMessages,
    private readonly queue: WriteQueue,
    private readonly clock: Clock,
  ) {}

  join(topics: readonly Topic[], handler: Handler): Subscription {
    const member: Member = { topics, handler };
    this.members.push(member);
    for (const topic of topics) {
      if (!this.pumps.has(topic.id)) this.pumps.set(topic.id, this.makePumps(topic));
      this.share(topic);
    }
    return { close: () => this.leave(member) };
  }

  announced(topic: Topic, messages: readonly PlacedMessage[]): void {
    for (const message of messages) this.pumpOf(topic, message)?.announced(message);
  }

  /** Offers stored messages, unless they were offered while being committed. */
  published(topic: Topic, messages: readonly PlacedMessage[]): void {
    for (const message of messages) this.pumpOf(topic, message)?.published(message);
  }

  lag(): readonly (readonly [string, number])[] {
    const topics = new Set(this.members.flatMap((member) => member.topics));
    return [...topics].map((topic) => {
      const behind = (this.pumps.get(topic.id) ?? []).map((pump, partition) => topic.end(partition) - pump.low);
      return [topic.name, behind.reduce((sum, each) => sum + each, 0)] as const;
    });
  }

  close(): void {
    for (const pump of [...this.pumps.values()].flat()) pump.serve(undefined);
  }

  private pumpOf({ id }: Topic, { partition }: PlacedMessage): PartitionPump | undefined {
    return this.pumps.get(id)?.[partition];
  }

  private async leave(member: Member): Promise<void> {
    const index = this.members.indexOf(member);
    if (index >= 0) this.members.splice(index, 1);
    for (const topic of member.topics) this.share(topic);
    const pumps = member.topics.flatMap((topic) => this.pumps.get(topic.id) ?? []);
    await Promise.all(pumps.map((pump) => pump.settledFor(member.handler)));
    await this.queue.drained();
  }

  private share(topic: Topic): void {
    const takers = this.members.filter(({ topics }) => topics.includes(topic));
    for (const [partition, pump] of (this.pumps.get(topic.id) ?? []).entries()) {
      pump.serve(takers[partition % Math.max(1, takers.length)]?.handler);
    }
  }

  private makePumps(topic: Topic): readonly PartitionPump[] {
    return Array.from({ length: topic.partitions }, (_, partition) => {
      const committed = this.stored.committed(topic.id, partition, this.name);
      return new PartitionPump(topic, partition, committed, this.stored, this.clock, (next) => {
        const request = { kind: 'consumed', group: this.name, topic: topic.id, partition, next } as const;
        this.queue.postpone(`consumed ${this.name} ${topic.id} ${partition}`, request);
      });
    });
  }
}
