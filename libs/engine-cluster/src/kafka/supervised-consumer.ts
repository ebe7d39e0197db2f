import { type Clock, pause } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import type { Subscription } from '@ports/message-bus.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { GroupMember } from './group-member.js';
import type { WatchedConsumer } from './kafka-health.js';
import type { OffsetReader } from './offset-reader.js';
import type { UnfinishedCalls } from './unfinished-calls.js';

const { restartAfterMs, restartAtMostAfterMs } = ENGINE_CONSTANTS.kafka;
/** A member that lasted this long was healthy. */
const WELL_AFTER_MS = 30_000;

export type Member = Pick<GroupMember, 'ended' | 'leave' | 'drop' | 'owns' | 'fetchedAt'>;

export interface ConsumerParts {
  /** The topics' names by their names on the brokers. */
  readonly topics: ReadonlyMap<string, string>;
  readonly offsets: OffsetReader;
  /** Creates missing topics and a new member. Rejects if the brokers do not answer. */
  join(): Promise<Member>;
  readonly pace: Clock;
  readonly unfinished: UnfinishedCalls;
  ended(why: string): void;
}

/** A lasting consumer: whenever its member ends, another joins the group. */
export class SupervisedConsumer implements Subscription, WatchedConsumer {
  readonly topics: ConsumerParts['topics'];
  readonly offsets: OffsetReader;
  private readonly closing = new AbortController();
  private current: Member | undefined;

  constructor(private readonly parts: ConsumerParts) {
    this.topics = parts.topics;
    this.offsets = parts.offsets;
    void this.run();
  }

  get member(): Member | undefined {
    return this.current;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.current?.leave();
    await this.parts.unfinished.settled();
  }

  /** Leaves the group without storing offsets. */
  async drop(): Promise<void> {
    this.closing.abort();
    await this.current?.drop('closed');
  }

  replace(why: string): void {
    void this.current?.drop(why);
  }

  private async run(): Promise<void> {
    const { pace, ended } = this.parts;
    const { signal } = this.closing;
    for (let waitMs = 0; !signal.aborted;) {
      await pause(pace, waitMs, signal);
      const from = pace.elapsed();
      const why = await this.serve();
      if (signal.aborted) return;
      ended(why);
      const isWell = pace.elapsed() - from >= WELL_AFTER_MS;
      waitMs = isWell || waitMs === 0 ? restartAfterMs : Math.min(2 * waitMs, restartAtMostAfterMs);
    }
  }

  private async serve(): Promise<string> {
    try {
      this.current = await this.parts.join();
      if (this.closing.signal.aborted) void this.current.drop('closed');
      return await this.current.ended;
    } catch (error) {
      return failureReason(error);
    } finally {
      // A member that ended by itself would keep its timers and connections.
      void this.current?.drop('ended');
      this.current = undefined;
    }
  }
}
