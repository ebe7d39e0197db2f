export interface SeenPartition {
  readonly key: string;
  /** The offset of the next message to offer. */
  readonly position: bigint;
  readonly end: bigint;
  readonly isWaiting: boolean;
}

export interface SeenConsumer {
  readonly fetchedAt?: number | undefined;
  readonly partitions?: readonly SeenPartition[] | undefined;
}

/**
 * A consumer is stalled when, for a minute while brokers answer, it does not fetch, or does not offer a message that is due. Heartbeats do
 * not count, since the driver sends them regardless; nor do new members, since one message may end each of them.
 */
export class ConsumerHealth {
  /** The last time it was healthy: it fetched, or the brokers were absent. */
  private blamelessAt: number;
  private readonly due = new Map<string, { readonly position: bigint; readonly since: number }>();
  /** When its member was last replaced since it stalled. */
  private replacedAt: number | undefined;

  constructor(
    private readonly stalledAfterMs: number,
    now: number,
  ) {
    this.blamelessAt = now;
  }

  /** Null if the brokers did not answer. */
  look(now: number, seen: SeenConsumer | null): void {
    this.blamelessAt = Math.max(this.blamelessAt, seen === null ? now : (seen.fetchedAt ?? 0));
    if (seen === null) this.due.clear();
    else if (seen.partitions) this.compare(now, seen.partitions);
    if (!this.isStalled(now)) this.replacedAt = undefined;
  }

  isStalled(now: number): boolean {
    const since = [this.blamelessAt, ...[...this.due.values()].map((each) => each.since)];
    return now - Math.min(...since) >= this.stalledAfterMs;
  }

  /** Whether to replace the member: when the consumer stalls, and after each further minute. */
  isReplacementDue(now: number): boolean {
    return this.isStalled(now) && (this.replacedAt === undefined || now - this.replacedAt >= this.stalledAfterMs);
  }

  /** Records a replacement; returns whether the member had itself been one. */
  replaced(now: number): boolean {
    const isAgain = this.replacedAt !== undefined;
    this.replacedAt = now;
    return isAgain;
  }

  private compare(now: number, partitions: readonly SeenPartition[]): void {
    const known = new Map(this.due);
    this.due.clear();
    for (const { key, position, end, isWaiting } of partitions) {
      if (position >= end || isWaiting) continue;
      const before = known.get(key);
      this.due.set(key, before?.position === position ? before : { position, since: now });
    }
  }
}
