import type { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { reasonOf } from '@ports/failure';
import { Backoff } from './backoff.js';
import { RepeatedTrouble } from './log-throttle.js';

/** How work that never stops begins again after failures: counted, ever later, and told to the log. */
export class Restarts {
  /** Since the process started. */
  count = 0;
  private readonly backoff: Backoff;
  private readonly trouble: RepeatedTrouble;

  constructor(
    private readonly log: Logger,
    clock: Clock,
  ) {
    this.backoff = new Backoff(clock);
    this.trouble = new RepeatedTrouble(clock);
  }

  /** Resolves when it is time to begin again, or at once when the signal aborts. */
  after(error: unknown, signal: AbortSignal): Promise<void> {
    this.count++;
    if (this.trouble.isNews(error)) {
      const failures = this.backoff.inARow + 1;
      this.log.warn(`starting again from the stored checkpoint (failure ${failures} in a row): ${reasonOf(error)}`);
    }
    return this.backoff.failed(signal);
  }

  succeeded(): void {
    this.backoff.succeeded();
    if (this.trouble.endsIt()) this.log.warn('goes on');
  }
}
