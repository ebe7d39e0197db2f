/** A partition of a member, as the brokers and the member have it. */
export interface SeenPartition {
  readonly key: string;
  /** The offset of the message that the member offers next. */
  readonly position: bigint;
  /** The offset of the message that is stored next. */
  readonly end: bigint;
  /** Whether it is held, or has no room. */
  readonly isWaiting: boolean;
}

/** What was seen of a consumer. */
export interface SeenConsumer {
  /** When its member fetched last, undefined where it has not yet. */
  readonly fetchedAt?: number | undefined;
  /** The partitions of its member, undefined while it has none. */
  readonly partitions?: readonly SeenPartition[] | undefined;
}

/**
 * Whether a consumer is stalled: its fetches stop, or a message that is due is not offered, for a minute while the brokers answer.
 * Heartbeats do not count: the driver sends them for a consumer that does nothing else. A new member does
 * not count either: the same message may end one member after the other.
 */
export class ConsumerHealth {
  /** The last time that it cannot be blamed for: it fetched, or the brokers were absent. */
  private blamelessAt: number;
  private readonly due = new Map<string, { readonly position: bigint; readonly since: number }>();
  /** When its member was replaced last, since it stalled. */
  private replacedAt: number | undefined;

  constructor(
    private readonly stalledAfterMs: number,
    now: number,
  ) {
    this.blamelessAt = now;
  }

  /** What was seen of it, null where the brokers did not answer. */
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

  /** Whether another member is to take the place of this one: when the consumer becomes stalled, and after each further minute. */
  isReplacementDue(now: number): boolean {
    return this.isStalled(now) && (this.replacedAt === undefined || now - this.replacedAt >= this.stalledAfterMs);
  }

  /** Notes that another member takes the place of this one. Returns whether this one was such a replacement itself. */
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
