import type { Logger } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import { LogThrottle } from './log-throttle.js';
import { untilNextTry } from './until-stored.js';

/** Restarts endless work after failures, with backoff and throttled logging. */
export class Restarts {
  count = 0;
  private readonly backoff = untilNextTry();
  private readonly throttle: LogThrottle;

  constructor(
    private readonly log: Logger,
    private readonly clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Resolves after the backoff, or at once when the signal aborts. */
  after(error: unknown, signal: AbortSignal): Promise<void> {
    this.count++;
    if (this.throttle.shouldLog(error)) {
      const failures = this.backoff.failures + 1;
      this.log.warn(`starting again from the stored checkpoint (failure ${failures} in a row): ${failureReason(error)}`);
    }
    return pause(this.clock, this.backoff.next(), signal);
  }

  succeeded(): void {
    this.backoff.reset();
    if (this.throttle.recovered()) this.log.warn('goes on');
  }
}
