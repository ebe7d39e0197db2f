import { Injectable, Logger } from '@nestjs/common';
import { pause, Clock } from '@ports/clock.port';
import { failureReason } from '@ports/failure';
import { ReadModels } from '@ports/read-models.port';
import { LogThrottle } from '../runtime/log-throttle.js';

const LOOKS_EVERY_MS = 60_000;
/** The way back to another release is short as long as its rows are there. */
const KEPT_UNUSED_MS = 10 * 60_000;

/** Drops rows of versions that no process has read for ten minutes. */
@Injectable()
export class UnusedRows {
  private readonly log = new Logger('read models');
  private readonly throttle: LogThrottle;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.clock, LOOKS_EVERY_MS, signal);
      if (!signal.aborted) await this.drop();
    }
  }

  private async drop(): Promise<void> {
    try {
      for (const { name, version } of await this.readModels.dropUnused(this.clock.now() - KEPT_UNUSED_MS))
        this.log.log(`the rows of ${name} in version ${version} were read by no process for ten minutes, and are dropped`);
      this.throttle.recovered();
    } catch (error) {
      if (this.throttle.shouldLog(error)) this.log.warn(`unused rows cannot be dropped: ${failureReason(error)}`);
    }
  }
}
