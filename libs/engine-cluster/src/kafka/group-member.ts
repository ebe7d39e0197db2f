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
/** The part of the leaving time for messages in progress, so that they are not offered again. */
const DONE_WITHIN_MS = leavesWithinMs / 4;

export interface MemberParts {
  readonly consumer: Consumer;
  readonly offsets: OffsetReader;
  readonly topics: ReadonlyMap<string, string>;
  readonly handler: Handler;
  readonly clock: Clock;
  readonly pace: Clock;
  readonly unfinished: UnfinishedCalls;
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`;

export class GroupMember implements Offering {
  private partitions = new Map<string, PartitionState>();
  private isOffering = true;
  private lastFetch: number | undefined;
  private readonly starting: Promise<void>;
  private readonly offsets: OffsetWriter;
  private readonly over = new AbortController();
  private end: (why: string) => void = () => undefined;
  readonly ended = new Promise<string>((resolve) => (this.end = resolve));

  constructor(private readonly parts: MemberParts) {
    this.offsets = new OffsetWriter(parts.consumer, parts.offsets, () => this.owns);
    this.listen();
    this.starting = this.start().catch((error: unknown) => this.end(failureReason(error)));
    void this.keepOffsets();
  }

  /** In milliseconds of the pace's `elapsed`; undefined before the first fetch. */
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

  /** Stops offering, waits half a second for messages in progress, stores offsets and leaves: within two seconds if brokers answer. */
  async leave(): Promise<void> {
    const { pace, unfinished } = this.parts;
    this.stopOffering();
    const quietly = (work: Promise<unknown>) => inTime(pace, DONE_WITHIN_MS, work).catch(() => undefined);
    await quietly(unfinished.settled());
    await quietly(this.offsets.store());
    await quietly(this.drop('left'));
  }

  /** Leaves the group without storing offsets. Resolves after two seconds at most; the driver may still be at work. */
  async drop(why: string): Promise<void> {
    this.stopOffering();
    this.end(why);
    await inTime(this.parts.pace, leavesWithinMs, this.disconnect()).catch(() => undefined);
  }

  /** The driver cannot stop a consumer that is starting: it would join afterwards. */
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

  /** A partition that stays keeps its progress. The driver still pauses what it had paused, even if another member owned it meanwhile. */
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
    for (const [key, partition] of before) if (!this.partitions.has(key)) partition.revoke();
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
      // On failure the next round repeats it, half a second later.
      await this.look().catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const lost = await this.offsets.lostTopics();
    if (this.over.signal.aborted) return;
    for (const topic of lost) this.restart(topic);
    await this.offsets.store();
  }

  /** Reads a topic from its beginning, or from the oldest message that the brokers still have. */
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
    for (const partition of this.owns) partition.revoke();
    // Otherwise it would fetch messages over and over that are not offered.
    this.whileItRuns((consumer) => consumer.pause(this.owns.flatMap(partitionsOf)));
  }

  /** The driver throws when stopped or not started; then there is nothing to pause, resume or seek. */
  private whileItRuns(act: (consumer: Consumer) => void): void {
    try {
      act(this.parts.consumer);
    } catch {
      // An exception in a timer could not be caught.
    }
  }
}

function partitionsOf({ topic, number }: PartitionState): TopicPartitions[] {
  return [{ topic, partitions: [number] }];
}
