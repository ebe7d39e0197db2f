import { Injectable } from '@nestjs/common';
import { LogTime } from './log-time.js';
import type { Sweeper } from './sweeper.js';

const EVERY_MS = 3_600_000;

/** Stores the time each hour, so that the clock of the next start can be compared with it. */
@Injectable()
export class LogTimeSweeper implements Sweeper {
  readonly name = 'log-time';
  readonly everyMs = EVERY_MS;

  constructor(private readonly time: LogTime) {}

  sweep(): Promise<void> {
    return this.time.observe();
  }
}
