import type { Admin } from 'kafkajs';
import { type Clock, pause } from '@ports/clock.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { ConsumerHealth, type SeenPartition } from './consumer-health.js';
import type { GroupMember } from './group-member.js';
import type { LastingClient } from './lasting-client.js';
import { logBounds, type OffsetReader } from './offset-reader.js';

const { lookEveryMs } = ENGINE_CONSTANTS.kafka;
/** Whoever waits for absent brokers learns soon that they are back. */
const ABSENT_LOOK_EVERY_MS = 1_000;

/** A topic that this process consumes. */
interface TopicStatus {
  readonly topic: string;
  /** The messages that the whole group has not consumed, those that are held included. */
  readonly behind: number;
}

/** How Kafka is, from the last look at it. */
export interface KafkaStatus {
  readonly isAnswering: boolean;
  readonly topics: readonly TopicStatus[];
}

/** A consumer that is looked after. */
export interface WatchedConsumer {
  /** The topics' names by those on the brokers. */
  readonly topics: ReadonlyMap<string, string>;
  readonly offsets: OffsetReader;
  readonly member: Pick<GroupMember, 'owns' | 'fetchedAt'> | undefined;
  /** It is stalled: another member is to take its place. */
  replace(why: string): void;
}

interface Watched {
  readonly consumer: WatchedConsumer;
  readonly health: ConsumerHealth;
  topics: readonly TopicStatus[];
}

/** Looks at the brokers and at every consumer each five seconds, and has stalled ones replaced. */
export class KafkaHealth {
  private readonly watched = new Map<WatchedConsumer, Watched>();
  private readonly closing = new AbortController();
  private isAnswering = false;

  constructor(
    private readonly admin: LastingClient<Admin>,
    private readonly pace: Clock,
    private readonly stalledAfterMs: number,
    private readonly onStalled: (topics: readonly string[]) => void,
  ) {
    void this.run();
  }

  get status(): KafkaStatus {
    return { isAnswering: this.isAnswering, topics: [...this.watched.values()].flatMap(({ topics }) => topics) };
  }

  watch(consumer: WatchedConsumer): void {
    const health = new ConsumerHealth(this.stalledAfterMs, this.pace.elapsed());
    this.watched.set(consumer, { consumer, health, topics: [] });
  }

  forget(consumer: WatchedConsumer): void {
    this.watched.delete(consumer);
  }

  close(): void {
    this.closing.abort();
    this.watched.clear();
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      const isThere = this.admin.use((admin) => admin.describeCluster());
      this.isAnswering = await isThere.then(
        () => true,
        () => false,
      );
      await Promise.all([...this.watched.values()].map((each) => this.look(each)));
      await pause(this.pace, this.isAnswering ? lookEveryMs : ABSENT_LOOK_EVERY_MS, signal);
    }
  }

  private async look(watched: Watched): Promise<void> {
    const { consumer, health } = watched;
    const seen = this.isAnswering ? await this.see(watched).catch(() => null) : null;
    const now = this.pace.elapsed();
    health.look(now, seen);
    if (!health.isStalled(now) || !this.watched.has(consumer)) return;
    health.restart(now);
    const names = [...consumer.topics.values()];
    consumer.replace(`stalled: ${names.join(', ')}`);
    this.onStalled(names);
  }

  private async see(watched: Watched) {
    const { topics, offsets, member } = watched.consumer;
    const parts = await Promise.all([...topics].map(([name, topic]) => this.seeTopic(name, topic, offsets, member)));
    watched.topics = parts.map(({ status }) => status);
    return { fetchedAt: member?.fetchedAt, partitions: parts.flatMap(({ partitions }) => partitions) };
  }

  private async seeTopic(name: string, topic: string, offsets: OffsetReader, member: WatchedConsumer['member']) {
    const [bounds, stored] = await Promise.all([logBounds(this.admin, name), offsets.of(name)]);
    const own = new Map(member?.owns.filter((each) => each.topic === name).map((each) => [each.number, each]));
    const partitions: SeenPartition[] = [];
    let behind = 0n;
    for (const [number, { low, high }] of bounds) {
      const [mine, consumed] = [own.get(number), stored.get(number) ?? low];
      const done = mine?.progress.low ?? consumed;
      if (high > done) behind += high - done;
      const position = mine?.progress.position ?? consumed;
      if (mine) partitions.push({ key: `${name}/${number}`, position, end: high, isWaiting: mine.isWaiting });
    }
    return { status: { topic, behind: Number(behind) }, partitions };
  }
}
