import type { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { LOG_AGAIN_AFTER_MS } from '@ports/failure';

const MAX_REMEMBERED = 200;
/** Calls begun during an outage may fail for this long after it, and consumers need as long to rejoin. */
const OVERCOME_WITHIN_MS = 15_000;

interface Outage {
  readonly since: number;
  loggedAt: number;
}

/**
 * Logs outages of a server: a line at the beginning, one a minute, and one at the end. Other troubles get a line a minute, held until the
 * next poll and dropped if that finds an outage, which explains them.
 */
export class TroubleLogger {
  private readonly loggedAt = new Map<string, number>();
  private readonly held = new Set<string>();
  private outage: Outage | undefined;
  private overcomeAt = -Infinity;

  constructor(
    private readonly server: string,
    private readonly log: Pick<Logger, 'warn'> | undefined,
    private readonly clock: Clock,
  ) {}

  /** A trouble that is not an outage. The sentence must quote no message. */
  tell(sentence: string): void {
    if (this.held.size < MAX_REMEMBERED) this.held.add(sentence);
  }

  served(): void {
    const now = this.clock.elapsed();
    if (this.outage) {
      this.log?.warn(`${this.server} serves again, after ${seconds(now - this.outage.since)} s`);
      this.outage = undefined;
      this.overcomeAt = now + OVERCOME_WITHIN_MS;
    }
    if (now >= this.overcomeAt) for (const sentence of this.held) this.logOnceAMinute(sentence, now);
    this.held.clear();
  }

  /** `what` the server does instead of serving, as in "does not answer". */
  failed(what: string): void {
    const now = this.clock.elapsed();
    this.held.clear();
    if (!this.outage) {
      this.outage = { since: now, loggedAt: now };
      this.log?.warn(`${this.server} ${what}`);
    } else if (now - this.outage.loggedAt >= LOG_AGAIN_AFTER_MS) {
      this.outage.loggedAt = now;
      this.log?.warn(`${this.server} has not served for ${seconds(now - this.outage.since)} s: it ${what}`);
    }
  }

  private logOnceAMinute(sentence: string, now: number): void {
    if (now - (this.loggedAt.get(sentence) ?? -Infinity) < LOG_AGAIN_AFTER_MS) return;
    if (this.loggedAt.size >= MAX_REMEMBERED) this.loggedAt.clear();
    this.loggedAt.set(sentence, now);
    this.log?.warn(sentence);
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
