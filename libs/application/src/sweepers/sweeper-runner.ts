import { Logger } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import type { Ids } from '@ports/ids.port';
import { LogThrottle } from '../runtime/log-throttle.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { timerRound } from '../runtime/timer-round.js';

export class SweeperRunner {
  failures = 0;
  private readonly log: Logger;
  private readonly throttle: LogThrottle;

  constructor(
    readonly sweeper: Sweeper,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.log = new Logger(`sweeper ${sweeper.name}`);
    this.throttle = new LogThrottle(clock);
  }

  /** Never rejects: after a failed sweep the next one runs at its time. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.sweeper.sweep(this.clock.now(), signal, timerRound(this.ids, this.sweeper.name));
        if (this.throttle.recovered()) this.log.warn('sweeps again');
      } catch (error) {
        if (!signal.aborted) this.failed(error);
      }
      await pause(this.clock, this.sweeper.everyMs, signal);
    }
  }

  private failed(error: unknown): void {
    this.failures++;
    if (this.throttle.shouldLog(error)) this.log.warn(`sweep failed: ${failureReason(error)}`);
  }
}
