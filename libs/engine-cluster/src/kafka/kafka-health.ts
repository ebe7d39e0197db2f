import type { Admin } from 'kafkajs';
import { type Clock, pause } from '@ports/clock.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { shortName } from '../short-name.js';
import type { TroubleLogger } from '../trouble-logger.js';
import { ConsumerHealth, type SeenPartition } from './consumer-health.js';
import type { DeclaredTopics } from './declared-topics.js';
import type { GroupMember } from './group-member.js';
import type { LastingClient } from './lasting-client.js';
import { logBounds, type OffsetReader } from './offset-reader.js';
import { TopicRefused } from './topic-config.js';

const { lookEveryMs } = ENGINE_CONSTANTS.kafka;
/** Faster while the brokers are absent, to notice their return soon. */
const ABSENT_LOOK_EVERY_MS = 1_000;

interface TopicStatus {
  readonly topic: string;
  /** Messages that the whole group has not consumed, held ones included. */
  readonly behind: number;
}

export interface KafkaStatus {
  /** Whether the brokers answer and have every declared topic. */
  readonly isAnswering: boolean;
  readonly stalled: readonly string[];
  readonly topics: readonly TopicStatus[];
}

export function servesAll({ isAnswering, stalled }: KafkaStatus): boolean {
  return isAnswering && stalled.length === 0;
}

export interface WatchedConsumer {
  readonly topics: ReadonlyMap<string, string>;
  readonly offsets: OffsetReader;
  readonly member: Pick<GroupMember, 'owns' | 'fetchedAt'> | undefined;
  replace(why: string): void;
}

interface Watched {
  readonly consumer: WatchedConsumer;
  readonly health: ConsumerHealth;
  isStalled: boolean;
  topics: readonly TopicStatus[];
}

export interface HealthParts {
  readonly admin: LastingClient<Admin>;
  readonly topics: Pick<DeclaredTopics, 'areThere' | 'makeAgain'>;
  readonly pace: Clock;
  readonly log: TroubleLogger;
  readonly stalledAfterMs: number;
  /** Called each minute while a consumer is stalled although its member was replaced. */
  readonly onStalled: (topics: readonly string[]) => void;
}

/** Checks the brokers and every consumer each five seconds, and replaces stalled members. */
export class KafkaHealth {
  private readonly watched = new Map<WatchedConsumer, Watched>();
  private readonly closing = new AbortController();
  private isAnswering = false;

  constructor(private readonly parts: HealthParts) {
    void this.run();
  }

  get status(): KafkaStatus {
    const watched = [...this.watched.values()];
    return {
      isAnswering: this.isAnswering,
      stalled: watched.flatMap(({ consumer, isStalled }) => (isStalled ? [...consumer.topics.values()] : [])),
      topics: watched.flatMap(({ topics }) => topics),
    };
  }

  watch(consumer: WatchedConsumer): void {
    const health = new ConsumerHealth(this.parts.stalledAfterMs, this.parts.pace.elapsed());
    this.watched.set(consumer, { consumer, health, isStalled: false, topics: [] });
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
      const failure = await this.findTopics().then(() => null, failureText);
      this.isAnswering = failure === null;
      await Promise.all([...this.watched.values()].map((each) => this.look(each)));
      if (failure === null) this.parts.log.served();
      else this.parts.log.failed(failure);
      await pause(this.parts.pace, this.isAnswering ? lookEveryMs : ABSENT_LOOK_EVERY_MS, signal);
    }
  }

  private async findTopics(): Promise<void> {
    const { topics } = this.parts;
    if (await topics.areThere()) return;
    this.isAnswering = false;
    await topics.makeAgain();
  }

  private async look(watched: Watched): Promise<void> {
    const { consumer, health } = watched;
    const seen = this.isAnswering ? await this.see(watched).catch(() => null) : null;
    const now = this.parts.pace.elapsed();
    health.look(now, seen);
    watched.isStalled = health.isStalled(now);
    if (!health.isReplacementDue(now) || !this.watched.has(consumer)) return;
    const names = [...consumer.topics.values()];
    this.parts.log.tell(`the consumer of ${names.join(', ')} is stalled: another member takes its place`);
    consumer.replace('stalled');
    if (health.replaced(now)) this.parts.onStalled(names);
  }

  private async see(watched: Watched) {
    const { topics, offsets, member } = watched.consumer;
    const parts = await Promise.all([...topics].map(([name, topic]) => this.seeTopic(name, topic, offsets, member)));
    watched.topics = parts.map(({ status }) => status);
    return member ? { fetchedAt: member.fetchedAt, partitions: parts.flatMap(({ partitions }) => partitions) } : {};
  }

  private async seeTopic(name: string, topic: string, offsets: OffsetReader, member: WatchedConsumer['member']) {
    const [bounds, stored] = await Promise.all([logBounds(this.parts.admin, name), offsets.of(name)]);
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

function failureText(failure: unknown): string {
  if (failure instanceof TopicRefused) return `refuses: ${failure.message}`;
  // The driver throws its own `TypeError` when every broker refuses the connection.
  return failure instanceof TypeError ? 'does not answer' : `does not answer: ${shortName(failure)}`;
}
