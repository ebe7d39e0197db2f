import type { Assignment } from '@ports/message-bus.port';

/** A hundredth more than a second, so that a tenth of a second of network between two attempts breaks no promise over ten. */
const WINDOW_MS = 1_010;
/**
 * From when a process got an endpoint's partition until its first attempt there that counts: whatever another process began before, both
 * together keep to the limit over any ten seconds, also if the other learned of it a second later.
 */
const FIRST_AFTER_MS = 3_000;

/** An attempt that was let begin. */
export interface PacedAttempt {
  /** The endpoint's limit as of this attempt; null for none. Returns whether another attempt may begin by that. */
  found(ratePerSecond: number | null): boolean;
  /** The POST begins now. Returns whether it is counted. */
  sends(): boolean;
  /** Frees the attempt's place if nothing was sent. */
  ended(): void;
}

/**
 * At most as many attempts of an endpoint as its limit in any window: those that have begun to send in it, and those that were let begin
 * but have not. Until its limit is known, one attempt at a time is let begin, which finds it. Times are of `Clock.elapsed()`.
 */
export class EndpointPace {
  /** Undefined until an attempt has found it. */
  private limit: number | null | undefined;
  private unsent = 0;
  /** Oldest first. */
  private readonly sentAt: number[] = [];
  private assignment: Assignment | undefined;

  /** Whether there is nothing to remember of it. */
  get isInitial(): boolean {
    return this.unsent === 0 && (this.limit ?? null) === null;
  }

  get isRevoked(): boolean {
    return this.assignment?.isRevoked ?? false;
  }

  assign(assignment: Assignment): void {
    this.assignment = assignment;
  }

  mayStart(now: number): boolean {
    if (this.limit === null) return true;
    if (this.limit === undefined) return this.unsent === 0;
    return this.waitMs(now) === 0;
  }

  /** How long until another attempt may begin; null if an earlier one has to send or end before that is known. */
  waitMs(now: number): number | null {
    if (typeof this.limit !== 'number') return this.mayStart(now) ? 0 : null;
    while ((this.sentAt[0] ?? Infinity) <= now - WINDOW_MS) this.sentAt.shift();
    const first = Math.max(0, (this.assignment?.since ?? -Infinity) + FIRST_AFTER_MS - now);
    const tooMany = this.unsent + this.sentAt.length - this.limit;
    if (tooMany < 0) return first;
    const last = this.sentAt[tooMany];
    return last === undefined ? null : Math.max(first, last + WINDOW_MS - now);
  }

  begin(elapsed: () => number): PacedAttempt {
    let isUnsent = true;
    this.unsent += 1;
    const leave = (): boolean => {
      if (!isUnsent) return false;
      isUnsent = false;
      this.unsent -= 1;
      return true;
    };
    return {
      found: (ratePerSecond) => {
        const isNews = this.limit !== ratePerSecond;
        this.limit = ratePerSecond;
        if (ratePerSecond === null) this.sentAt.length = 0;
        return isNews;
      },
      sends: () => {
        if (!leave() || typeof this.limit !== 'number') return false;
        this.sentAt.push(elapsed());
        return true;
      },
      ended: () => void leave(),
    };
  }
}
