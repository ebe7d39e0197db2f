import { Injectable } from '@nestjs/common';
import type { Envelope } from '@domain/kernel/envelope';
import { LogTime } from './log-time.js';
import type { Sweeper } from './sweeper.js';

const EVERY_MS = 3_600_000;

/** Stores the time each hour, so that the next start can compare its clock. */
@Injectable()
export class LogTimeSweeper implements Sweeper {
  readonly name = 'log-time';
  readonly everyMs = EVERY_MS;

  constructor(private readonly time: LogTime) {}

  sweep(_now: number, _signal: AbortSignal, round: Envelope): Promise<void> {
    return this.time.observe(round);
  }
}
