import type { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { TOLD_AGAIN_AFTER_MS } from '@ports/failure';

/** Logs an outage of a server: a line when it begins, one a minute while it lasts, and one at its end. */
export class OutageLogger {
  private begunAt: number | null = null;
  private toldAt = 0;

  /** @param server as the lines name it */
  constructor(
    private readonly server: string,
    private readonly log: Pick<Logger, 'warn'> | undefined,
    private readonly clock: Clock,
  ) {}

  /** The server did what was asked. */
  well(): void {
    if (this.begunAt === null) return;
    const seconds = Math.round((this.clock.elapsed() - this.begunAt) / 1_000);
    this.begunAt = null;
    this.log?.warn(`${this.server} answers again, after ${seconds} s`);
  }

  /** It did not; `what` is what it does instead. */
  away(what: string): void {
    const now = this.clock.elapsed();
    if (this.begunAt === null) {
      this.begunAt = this.toldAt = now;
      this.log?.warn(`${this.server} ${what}`);
    } else if (now - this.toldAt >= TOLD_AGAIN_AFTER_MS) {
      this.toldAt = now;
      this.log?.warn(`${this.server} has not answered for ${Math.round((now - this.begunAt) / 1_000)} s: it ${what}`);
    }
  }
}
