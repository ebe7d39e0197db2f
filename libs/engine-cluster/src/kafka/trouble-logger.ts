import type { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { TOLD_AGAIN_AFTER_MS } from '@ports/failure';

/** Every consumer of an outage says the same: so many sentences are remembered. */
const REMEMBERED = 200;

/** Tells of troubles, each sentence once a minute. */
export class TroubleLogger {
  private readonly toldAt = new Map<string, number>();

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly clock: Clock,
  ) {}

  /** A sentence must not quote a message. */
  tell(sentence: string): void {
    const now = this.clock.elapsed();
    if (now - (this.toldAt.get(sentence) ?? -Infinity) < TOLD_AGAIN_AFTER_MS) return;
    if (this.toldAt.size >= REMEMBERED) this.toldAt.clear();
    this.toldAt.set(sentence, now);
    this.log.warn(sentence);
  }
}
