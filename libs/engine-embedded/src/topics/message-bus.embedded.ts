import { Clock } from '@ports/clock.port';
import {
  type ConsumeResult,
  type BusMessage,
  MessageBus,
  type OutgoingMessage,
  type Subscription,
  type TopicDeclaration,
} from '@ports/message-bus.port';
import type { Reading } from '../database.js';
import type { WriteQueue } from '../writer/write-queue.js';
import { ConsumerGroup } from './consumer-group.js';
import { StoredMessages } from './stored-messages.js';
import { Topic } from './topic.js';

/** Shared by buses over one writer, as a broker would hold it: next offsets, and who serves which partition. */
export interface Coordination {
  readonly topics: Map<string, Topic>;
  readonly groups: Map<string, ConsumerGroup>;
}

/** Topics as tables of the engine's single file. A message is offered while it is being committed. */
export class EmbeddedMessageBus extends MessageBus {
  readonly partitions = { held: 6, other: 12 };
  private readonly topics: Coordination['topics'];
  private readonly groups: Coordination['groups'];
  private readonly stored: StoredMessages;

  constructor(
    private readonly queue: WriteQueue,
    db: Reading,
    private readonly clock: Clock,
    { topics, groups }: Coordination = { topics: new Map(), groups: new Map() },
  ) {
    super();
    this.topics = topics;
    this.groups = groups;
    this.stored = new StoredMessages(db);
    this.loadTopics();
  }

  async declare(topics: readonly TopicDeclaration[]): Promise<void> {
    const missing = topics.filter(({ name }) => !this.topics.has(name));
    if (missing.length === 0) return;
    await this.queue.ask({ kind: 'declare', topics: missing.map(({ name, partitions }) => [name, partitions] as const) });
    this.loadTopics();
  }

  async publish(name: string, messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const topic = this.topic(name);
    const placed = messages.map((message) => topic.place(message));
    const rows = placed.map(({ partition, offset, key, value }) => [partition, offset, key, value] as const);
    const stored = this.queue.ask({ kind: 'publish', topic: topic.id, messages: rows });
    for (const group of this.groups.values()) group.announced(topic, placed);
    await stored;
    for (const group of this.groups.values()) group.published(topic, placed);
  }

  async consume(
    name: string,
    topics: readonly string[],
    handler: (message: BusMessage) => Promise<ConsumeResult>,
  ): Promise<Subscription> {
    const wanted = topics.map((topic) => this.topic(topic));
    await Promise.all(wanted.map(({ id }) => this.queue.ask({ kind: 'join', group: name, topic: id })));
    const group = this.groups.get(name) ?? new ConsumerGroup(name, this.stored, this.queue, this.clock);
    this.groups.set(name, group);
    return group.join(wanted, handler);
  }

  lag(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.groups.values()].flatMap((group) => group.lag()));
  }

  close(): void {
    for (const group of this.groups.values()) group.close();
  }

  private topic(name: string): Topic {
    const topic = this.topics.get(name);
    if (!topic) throw new Error(`topic ${name} is not declared`);
    return topic;
  }

  private loadTopics(): void {
    for (const { id, name, partitions } of this.stored.topics()) {
      if (this.topics.has(name)) continue;
      const next = Array.from({ length: partitions }, (_, partition) => this.stored.nextOffset(id, partition));
      this.topics.set(name, new Topic(id, name, next));
    }
  }
}
