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

/**
 * Whether a consumer is stalled: its fetches stop, or a message that is due is not offered, for a minute while the brokers answer.
 * Heartbeats do not count: the driver sends them for a consumer that does nothing else.
 */
export class ConsumerHealth {
  /** The last time that it cannot be blamed for: it fetched, or the brokers were absent. */
  private blamelessAt: number;
  private readonly due = new Map<string, { readonly position: bigint; readonly since: number }>();

  constructor(
    private readonly stalledAfterMs: number,
    now: number,
  ) {
    this.blamelessAt = now;
  }

  /** What was seen of it, null where the brokers did not answer. A consumer that could not join yet has not fetched. */
  look(
    now: number,
    seen: { readonly fetchedAt?: number | undefined; readonly partitions: readonly SeenPartition[] } | null,
  ): void {
    this.blamelessAt = Math.max(this.blamelessAt, seen === null ? now : (seen.fetchedAt ?? 0));
    const due = (seen?.partitions ?? []).filter(({ position, end, isWaiting }) => position < end && !isWaiting);
    const known = new Map(this.due);
    this.due.clear();
    for (const { key, position } of due) {
      const before = known.get(key);
      this.due.set(key, before?.position === position ? before : { position, since: now });
    }
  }

  isStalled(now: number): boolean {
    const since = [this.blamelessAt, ...[...this.due.values()].map((each) => each.since)];
    return now - Math.min(...since) >= this.stalledAfterMs;
  }

  /** Another member takes its place. */
  restart(now: number): void {
    this.blamelessAt = now;
    this.due.clear();
  }
}
