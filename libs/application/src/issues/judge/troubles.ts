import { CLOSES_AFTER_MS, SAME_WITHIN_MS } from '@domain/issue/issue.decider';

export interface Trouble {
  readonly id: string;
  readonly since: number;
  readonly lastSeenAt: number;
  readonly endedAt: number | null;
}

/** What this process has seen of subjects whose troubles are not stored. */
export class Troubles {
  private readonly seen = new Map<string, Trouble>();
  private readonly wellSince = new Map<string, number>();

  /** @param lastsMs how long a trouble must last to count */
  constructor(private readonly lastsMs: number) {}

  /** A trouble that counts and comes again within a minute is the same. */
  noteBad(id: string, now: number): void {
    this.wellSince.delete(id);
    const before = this.seen.get(id);
    this.seen.set(id, { id, since: before && this.goesOn(before, now) ? before.since : now, lastSeenAt: now, endedAt: null });
  }

  noteWell(id: string, now: number): void {
    if (!this.wellSince.has(id)) this.wellSince.set(id, now);
    const before = this.seen.get(id);
    if (!before) return;
    if (before.endedAt === null) this.seen.set(id, { ...before, endedAt: now });
    else if (now - before.endedAt > SAME_WITHIN_MS) this.seen.delete(id);
  }

  /** Those that lasted long enough, also when they are over since some minutes. */
  lasting(): readonly Trouble[] {
    return [...this.seen.values()].filter((trouble) => this.isLasting(trouble));
  }

  overSince(id: string): number | null {
    return this.wellSince.get(id) ?? null;
  }

  private goesOn(before: Trouble, now: number): boolean {
    return before.endedAt === null || (this.isLasting(before) && now - before.endedAt < CLOSES_AFTER_MS);
  }

  private isLasting({ since, lastSeenAt }: Trouble): boolean {
    return lastSeenAt - since >= this.lastsMs;
  }
}
