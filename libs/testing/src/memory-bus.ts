import { PartitionPump } from '@engine-embedded/topics/partition-pump';
import type { StoredMessages } from '@engine-embedded/topics/stored-messages';
import { Topic, type PlacedMessage } from '@engine-embedded/topics/topic';
import {
  MessageBus,
  type BusMessage,
  type ConsumeResult,
  type OutgoingMessage,
  type Subscription,
} from '@ports/message-bus.port';
import type { FakeClock } from './fake-clock.js';

const PARTITIONS = 2;

/** The messages of one topic, which outlive the processes that consume them. */
class StoredTopic {
  readonly topic: Topic;
  readonly partitions: readonly PlacedMessage[][] = Array.from({ length: PARTITIONS }, () => []);
  readonly committed = Array.from({ length: PARTITIONS }, () => 0);

  constructor(id: number, name: string) {
    this.topic = new Topic(id, name, this.committed.slice());
  }
}

/** Topics in memory, whose partitions are offered by pumps of the embedded engine. */
export class MemoryBus extends MessageBus {
  readonly partitions = { held: PARTITIONS, other: PARTITIONS };
  private readonly topics = new Map<string, StoredTopic>();
  /** By topic: the pumps of the process that consumes it. */
  private readonly pumps = new Map<string, readonly PartitionPump[]>();

  constructor(private readonly clock: FakeClock) {
    super();
  }

  declare(topics: readonly { readonly name: string }[]): Promise<void> {
    for (const { name } of topics) {
      if (!this.topics.has(name)) this.topics.set(name, new StoredTopic(this.topics.size, name));
    }
    return Promise.resolve();
  }

  publish(name: string, messages: readonly OutgoingMessage[]): Promise<void> {
    const { topic, partitions } = this.stored(name);
    for (const message of messages.map((each) => topic.place(each))) {
      partitions[message.partition]?.push(message);
      this.pumps.get(name)?.[message.partition]?.published(message);
    }
    return Promise.resolve();
  }

  consume(
    _group: string,
    [name = '']: readonly string[],
    handler: (message: BusMessage) => Promise<ConsumeResult>,
  ): Promise<Subscription> {
    const { topic, partitions, committed } = this.stored(name);
    const read = (_topic: number, partition: number, from: number, limit: number) =>
      (partitions[partition] ?? []).slice(from, from + limit);
    const pumps = committed.map((from, partition) => {
      const commit = (next: number) => void (committed[partition] = next);
      return new PartitionPump(topic, partition, from, { read } as unknown as StoredMessages, this.clock, commit);
    });
    this.pumps.set(name, pumps);
    pumps.forEach((pump) => pump.serve(handler));
    return Promise.resolve({ close: () => Promise.resolve() });
  }

  lag(): Readonly<Record<string, number>> {
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    return Object.fromEntries(
      [...this.topics].map(([name, { partitions, committed }]) => [
        name,
        sum(partitions.map(({ length }) => length)) - sum(committed),
      ]),
    );
  }

  /** Ends every consumer as a crash does: what it has not done is offered to the next one. */
  kill(): void {
    for (const pump of [...this.pumps.values()].flat()) pump.serve(undefined);
    this.pumps.clear();
  }

  private stored(name: string): StoredTopic {
    const stored = this.topics.get(name);
    if (!stored) throw new Error(`topic ${name} is not declared`);
    return stored;
  }
}
