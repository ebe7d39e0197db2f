import type { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { TOLD_AGAIN_AFTER_MS } from '@ports/failure';

const MAX_REMEMBERED = 200;
/** Calls that began during an outage may fail for this long after it, and consumers need as long to join their groups again. */
const OVERCOME_WITHIN_MS = 15_000;

interface Outage {
  readonly since: number;
  loggedAt: number;
}

/**
 * Logs the outages of a server: a line when one begins, one a minute while it lasts, and one at its end. Any other trouble with the
 * server gets a line a minute. That line waits for the next look at the server, and is dropped where the look finds an outage: calls,
 * consumers and the driver all fail of the same outage.
 */
export class TroubleLogger {
  private readonly loggedAt = new Map<string, number>();
  private readonly held = new Set<string>();
  private outage: Outage | undefined;
  private overcomeAt = -Infinity;

  /** @param server as the lines name it */
  constructor(
    private readonly server: string,
    private readonly log: Pick<Logger, 'warn'> | undefined,
    private readonly clock: Clock,
  ) {}

  /** A trouble that is no outage by itself. The sentence must not quote a message. */
  tell(sentence: string): void {
    if (this.held.size < MAX_REMEMBERED) this.held.add(sentence);
  }

  /** A look found that the server serves. */
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

  /** A look found that it does not; `what` is what it does instead, as in "does not answer". */
  failed(what: string): void {
    const now = this.clock.elapsed();
    this.held.clear();
    if (!this.outage) {
      this.outage = { since: now, loggedAt: now };
      this.log?.warn(`${this.server} ${what}`);
    } else if (now - this.outage.loggedAt >= TOLD_AGAIN_AFTER_MS) {
      this.outage.loggedAt = now;
      this.log?.warn(`${this.server} has not served for ${seconds(now - this.outage.since)} s: it ${what}`);
    }
  }

  private logOnceAMinute(sentence: string, now: number): void {
    if (now - (this.loggedAt.get(sentence) ?? -Infinity) < TOLD_AGAIN_AFTER_MS) return;
    if (this.loggedAt.size >= MAX_REMEMBERED) this.loggedAt.clear();
    this.loggedAt.set(sentence, now);
    this.log?.warn(sentence);
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
