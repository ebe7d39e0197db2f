import type { Consumer, TopicPartitions } from 'kafkajs';
import { inTime } from '@kit/time';
import { type Clock, pause } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { BatchRunner, type Handler, type Offering } from './batch-runner.js';
import type { OffsetReader } from './offset-reader.js';
import { OffsetWriter } from './offset-writer.js';
import { PartitionState, type Wait } from './partition-state.js';
import type { UnfinishedCalls } from './unfinished-calls.js';

const { commitEveryMs, lookEveryMs, leavesWithinMs, partitions: CONCURRENT } = ENGINE_CONSTANTS.kafka;
/** Of the time for leaving, what messages under way have to be done, so that nobody is offered them again. */
const DONE_WITHIN_MS = leavesWithinMs / 4;

/** What a member is made of. */
export interface MemberParts {
  readonly consumer: Consumer;
  readonly offsets: OffsetReader;
  /** The topics' names by those on the brokers. */
  readonly topics: ReadonlyMap<string, string>;
  readonly handler: Handler;
  /** Releases held messages. */
  readonly clock: Clock;
  readonly pace: Clock;
  readonly unfinished: UnfinishedCalls;
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`;

/** One membership in a consumer group, from joining to leaving. */
export class GroupMember implements Offering {
  private partitions = new Map<string, PartitionState>();
  private isOffering = true;
  private lastFetch: number | undefined;
  private readonly starting: Promise<void>;
  private readonly offsets: OffsetWriter;
  private readonly over = new AbortController();
  private end: (why: string) => void = () => undefined;
  /** Resolves to why it ended by itself. */
  readonly ended = new Promise<string>((resolve) => (this.end = resolve));

  constructor(private readonly parts: MemberParts) {
    this.offsets = new OffsetWriter(parts.consumer, parts.offsets, () => this.owns);
    this.listen();
    this.starting = this.start().catch((error: unknown) => this.end(failureReason(error)));
    void this.keepOffsets();
  }

  /** When it fetched last, in milliseconds of the pace's `elapsed`; undefined until it has. */
  get fetchedAt(): number | undefined {
    return this.lastFetch;
  }

  get owns(): readonly PartitionState[] {
    return [...this.partitions.values()];
  }

  owned(topic: string, partition: number): PartitionState | undefined {
    return this.isOffering ? this.partitions.get(keyOf(topic, partition)) : undefined;
  }

  hold(partition: PartitionState, wait: Wait): void {
    const place = partitionsOf(partition);
    this.whileItRuns((consumer) => consumer.pause(place));
    partition.waits(wait, () => this.whileItRuns((consumer) => consumer.resume(place)));
  }

  /**
   * The member offers no more messages, waits half a second for those under way, stores the offsets and leaves the group: within
   * two seconds, where the brokers answer.
   */
  async leave(): Promise<void> {
    const { pace, unfinished } = this.parts;
    this.stopOffering();
    const quietly = (work: Promise<unknown>) => inTime(pace, DONE_WITHIN_MS, work).catch(() => undefined);
    await quietly(unfinished.settled());
    await quietly(this.offsets.store());
    await quietly(this.drop('left'));
  }

  /** Leaves the group without storing anything. Resolves after two seconds at most; the driver may still be at it then. */
  async drop(why: string): Promise<void> {
    this.stopOffering();
    this.end(why);
    await inTime(this.parts.pace, leavesWithinMs, this.disconnect()).catch(() => undefined);
  }

  /** The driver cannot stop what has not started, and would join afterwards. */
  private async disconnect(): Promise<void> {
    await this.starting;
    await this.parts.consumer.disconnect();
  }

  private listen(): void {
    const { consumer, pace } = this.parts;
    const { GROUP_JOIN, REBALANCING, CRASH, FETCH } = consumer.events;
    consumer.on(GROUP_JOIN, ({ payload }) => this.joined(payload.memberAssignment));
    consumer.on(REBALANCING, () => void this.offsets.store().catch(() => undefined));
    consumer.on(CRASH, ({ payload }) => this.end(failureReason(payload.error)));
    consumer.on(FETCH, () => void (this.lastFetch = pace.elapsed()));
  }

  private async start(): Promise<void> {
    const { consumer, topics, handler, clock, unfinished } = this.parts;
    const offers = new BatchRunner(topics, handler, clock, unfinished, this);
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics.keys()], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: CONCURRENT,
      eachBatch: (batch) => offers.offer(batch),
    });
  }

  /** A partition that stays keeps its progress. The driver keeps what it paused, also what another member had meanwhile. */
  private joined(assignment: Readonly<Record<string, readonly number[]>>): void {
    const before = this.partitions;
    const places = Object.entries(assignment).flatMap(([topic, numbers]) => numbers.map((number) => ({ topic, number })));
    for (const partition of before.values()) partition.endWait();
    this.partitions = new Map(
      places.map(({ topic, number }) => {
        const key = keyOf(topic, number);
        return [key, before.get(key) ?? new PartitionState(topic, number, this.parts.clock)];
      }),
    );
    const { consumer } = this.parts;
    consumer.resume(consumer.paused());
  }

  private async keepOffsets(): Promise<void> {
    const { pace } = this.parts;
    const { signal } = this.over;
    for (let lookAt = pace.elapsed() + lookEveryMs; !signal.aborted;) {
      await pause(pace, commitEveryMs, signal);
      const isLookDue = pace.elapsed() >= lookAt;
      if (signal.aborted || !(isLookDue || this.offsets.isDue)) continue;
      if (isLookDue) lookAt = pace.elapsed() + lookEveryMs;
      // What fails is done half a second later.
      await this.look().catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const lost = await this.offsets.lostTopics();
    if (this.over.signal.aborted) return;
    for (const topic of lost) this.restart(topic);
    await this.offsets.store();
  }

  /** Reads a topic from its beginning; where the brokers have that no more, from where they begin. */
  private restart(topic: string): void {
    for (const partition of this.owns.filter((each) => each.topic === topic)) {
      partition.restart();
      this.whileItRuns((consumer) => {
        consumer.seek({ topic, partition: partition.number, offset: '0' });
        consumer.resume(partitionsOf(partition));
      });
    }
  }

  private stopOffering(): void {
    this.over.abort();
    if (!this.isOffering) return;
    this.isOffering = false;
    for (const partition of this.owns) partition.endWait();
    // Otherwise it would fetch what is not offered again and again.
    this.whileItRuns((consumer) => consumer.pause(this.owns.flatMap(partitionsOf)));
  }

  /** The driver throws where it has stopped, or has not started: there is nothing to pause, resume or seek then. */
  private whileItRuns(act: (consumer: Consumer) => void): void {
    try {
      act(this.parts.consumer);
    } catch {
      // Nobody could catch it in a timer.
    }
  }
}

function partitionsOf({ topic, number }: PartitionState): TopicPartitions[] {
  return [{ topic, partitions: [number] }];
}
