import type { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { TOLD_AGAIN_AFTER_MS } from '@ports/failure';

/** So many sentences are remembered: every consumer has one of its own. */
const REMEMBERED = 200;
/** The time in which consumers are back after an outage. */
const OVERCOME_WITHIN_MS = 15_000;

interface Outage {
  readonly since: number;
  toldAt: number;
}

/**
 * Tells of troubles, each sentence once a minute, and of an outage when it begins, each minute and at its end. A sentence waits for
 * the next look at the brokers, and is dropped where that finds an outage: the driver and every consumer complain of it each.
 */
export class TroubleLogger {
  private readonly toldAt = new Map<string, number>();
  private readonly held = new Set<string>();
  private outage: Outage | undefined;
  private overcomeAt = -Infinity;

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly clock: Clock,
  ) {}

  /** A sentence must not quote a message. */
  tell(sentence: string): void {
    if (this.held.size < REMEMBERED) this.held.add(sentence);
  }

  /** A look found that the brokers serve. */
  served(): void {
    const now = this.clock.elapsed();
    if (this.outage) {
      this.log.warn(`Kafka serves again, after ${seconds(now - this.outage.since)} s`);
      this.outage = undefined;
      this.overcomeAt = now + OVERCOME_WITHIN_MS;
    }
    if (now >= this.overcomeAt) for (const sentence of this.held) this.tellOnceAMinute(sentence, now);
    this.held.clear();
  }

  /** A look found that they do not. */
  failed(reason: string): void {
    const now = this.clock.elapsed();
    this.held.clear();
    if (!this.outage) {
      this.outage = { since: now, toldAt: now };
      this.log.warn(`Kafka does not serve: ${reason}`);
    } else if (now - this.outage.toldAt >= TOLD_AGAIN_AFTER_MS) {
      this.outage.toldAt = now;
      this.log.warn(`Kafka has not served for ${seconds(now - this.outage.since)} s: ${reason}`);
    }
  }

  private tellOnceAMinute(sentence: string, now: number): void {
    if (now - (this.toldAt.get(sentence) ?? -Infinity) < TOLD_AGAIN_AFTER_MS) return;
    if (this.toldAt.size >= REMEMBERED) this.toldAt.clear();
    this.toldAt.set(sentence, now);
    this.log.warn(sentence);
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
