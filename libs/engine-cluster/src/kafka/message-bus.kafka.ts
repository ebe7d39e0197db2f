import type { Admin, Producer } from 'kafkajs';
import type { Clock } from '@ports/clock.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import {
  MessageBus,
  type OutgoingMessage,
  type PartitionCounts,
  type Subscription,
  type TopicDeclaration,
} from '@ports/message-bus.port';
import type { ClusterSettings } from '../cluster-settings.js';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { TroubleLogger } from '../trouble-logger.js';
import type { Handler } from './batch-runner.js';
import { LastingClient } from './lasting-client.js';
import { DeclaredTopics } from './declared-topics.js';
import { GroupMember } from './group-member.js';
import { OffsetReader } from './offset-reader.js';
import { KafkaHealth, type KafkaStatus } from './kafka-health.js';
import { KafkaDriver } from './kafka-driver.js';
import { MessageSender } from './message-sender.js';
import { SupervisedConsumer } from './supervised-consumer.js';
import { TopicRefused } from './topic-config.js';
import { UnfinishedCalls } from './unfinished-calls.js';

export type KafkaSettings = Pick<ClusterSettings, 'kafkaBrokers' | 'replicationFactor' | 'prefix'>;

export interface KafkaBusParts {
  readonly settings: KafkaSettings;
  /** Releases held messages. */
  readonly clock: Clock;
  /** Times the driver's deadlines, pauses and polls. */
  readonly pace: Clock;
  readonly log: TroubleLogger;
  readonly onStalled?: (topics: readonly string[]) => void;
  readonly stalledAfterMs?: number;
  readonly partitions?: number;
}

/** Topics on Kafka. Brokers may be absent, even at the start: consumers join once they answer. */
export class KafkaMessageBus extends MessageBus {
  readonly partitions: PartitionCounts;
  private readonly driver: KafkaDriver;
  private readonly admin: LastingClient<Admin>;
  private readonly maker: LastingClient<Admin>;
  private readonly producer: LastingClient<Producer>;
  private readonly topics: DeclaredTopics;
  private readonly sender: MessageSender;
  private readonly health: KafkaHealth;
  private readonly consumers = new Set<SupervisedConsumer>();

  constructor(private readonly parts: KafkaBusParts) {
    super();
    const { settings, pace, log, partitions = ENGINE_CONSTANTS.kafka.partitions } = parts;
    this.partitions = { held: partitions, other: partitions };
    this.driver = new KafkaDriver(settings.kafkaBrokers, log, pace);
    this.admin = new LastingClient(() => this.driver.admin(), pace);
    this.producer = new LastingClient(() => this.driver.producer(), pace);
    this.maker = new LastingClient(() => this.driver.admin(), pace);
    this.topics = new DeclaredTopics({ ...settings, maker: this.maker, admin: this.admin, pace, log });
    const { stalledAfterMs = ENGINE_CONSTANTS.kafka.stalledAfterMs, onStalled = () => undefined } = parts;
    this.health = new KafkaHealth({ admin: this.admin, topics: this.topics, pace, log, stalledAfterMs, onStalled });
    this.sender = new MessageSender(this.producer, this.topics, log);
  }

  get status(): KafkaStatus {
    return this.health.status;
  }

  /** Rejects if the brokers refuse a topic; if they are absent, its first user creates it. */
  async declare(topics: readonly TopicDeclaration[]): Promise<void> {
    this.topics.add(topics);
    try {
      await this.topics.make(topics.map(({ name }) => name));
    } catch (error) {
      if (error instanceof TopicRefused) throw error;
      this.parts.log.tell(`the topics are not declared yet: ${failureReason(error)}`);
    }
  }

  publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
    return this.sender.publish(topic, messages);
  }

  async consume(group: string, topics: readonly string[], handler: Handler): Promise<Subscription> {
    await Promise.all(topics.map((topic) => this.topics.expectDeclared(topic)));
    const names = new Map(topics.map((topic) => [this.topics.nameOf(topic), topic]));
    const { pace, log, clock } = this.parts;
    const groupId = `${this.parts.settings.prefix}${group}`;
    const [unfinished, offsets] = [new UnfinishedCalls(), new OffsetReader(this.admin, groupId)];
    const consumer = new SupervisedConsumer({
      join: async () => {
        await this.topics.make(topics);
        const member = this.driver.consumer(groupId);
        return new GroupMember({ consumer: member, offsets, topics: names, handler, clock, pace, unfinished });
      },
      topics: names,
      offsets,
      pace,
      unfinished,
      // Omits the topic: the loss of a broker ends several consumers for one reason.
      ended: (why) => log.tell(`a consumer ended, and another takes its place: ${why}`),
    });
    this.consumers.add(consumer);
    this.health.watch(consumer);
    return {
      close: async () => {
        this.health.forget(consumer);
        await consumer.close();
        this.consumers.delete(consumer);
      },
    };
  }

  lag(): Readonly<Record<string, number>> {
    const { isAnswering, topics } = this.status;
    if (!isAnswering) throw new StoreUnavailable('the brokers do not answer');
    return Object.fromEntries(topics.map(({ topic, behind }) => [topic, behind]));
  }

  /** Drops every consumer without storing offsets, then closes the connections. */
  async close(): Promise<void> {
    this.health.close();
    await Promise.all([...this.consumers].map((consumer) => consumer.drop()));
    await Promise.all([this.admin, this.maker, this.producer].map((client) => client.close()));
  }
}
