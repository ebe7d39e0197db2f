import type { Clock } from '@ports/clock.port';
import type { Assignment, ConsumeResult } from '@ports/message-bus.port';
import { PartitionProgress } from './partition-progress.js';

export type Wait = Exclude<ConsumeResult, { kind: 'accepted' }>;

/** A partition while a member owns it, and what it waits for. */
export class PartitionState implements Assignment {
  readonly since: number;
  private isLost = false;
  private current = new PartitionProgress();
  private waiting: { readonly wait: Wait; readonly cancel: () => void } | undefined;

  constructor(
    /** The name on the brokers. */
    readonly topic: string,
    readonly number: number,
    private readonly clock: Clock,
  ) {
    this.since = clock.elapsed();
  }

  get isRevoked(): boolean {
    return this.isLost;
  }

  get progress(): PartitionProgress {
    return this.current;
  }

  /** The member does not own it any longer. */
  revoke(): void {
    this.isLost = true;
    this.endWait();
  }

  restart(): void {
    this.endWait();
    this.current = new PartitionProgress();
  }

  get isWaiting(): boolean {
    const wait = this.waiting?.wait;
    return wait !== undefined && (wait.kind === 'full' || wait.until > this.clock.now());
  }

  /** Calls back when the wait is over, unless it is cancelled. */
  waits(wait: Wait, isOver: () => void): void {
    this.endWait();
    const over = () => {
      if (this.waiting !== mine) return;
      this.endWait();
      isOver();
    };
    const mine = { wait, cancel: wait.kind === 'held' ? this.atOrAfter(wait.until, over) : () => undefined };
    this.waiting = mine;
    if (wait.kind === 'full') wait.space.then(over, over);
  }

  endWait(): void {
    this.waiting?.cancel();
    this.waiting = undefined;
  }

  /** At this instant, or after as long as it is until then now: a clock that is set back prolongs no wait. */
  private atOrAfter(until: number, isOver: () => void): () => void {
    const cancels = [this.clock.at(until, isOver), this.clock.after(until - this.clock.now(), isOver)];
    return () => cancels.forEach((cancel) => cancel());
  }
}
