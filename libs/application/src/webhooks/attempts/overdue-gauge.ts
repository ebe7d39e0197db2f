import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import type { DueKey } from '@ports/read-models.port';
import { DueDeliveries, type DuePointers } from '../due-deliveries.js';
import { AttemptScheduler } from './attempt-scheduler.js';

const PAGE = 1_000;
/** A larger count would cost more than it is worth to an operator. */
const MOST_PAGES = 5;
const MOST_COUNTED = 1_000;

/** Counts deliveries whose pointer was lost: overdue and unknown to the scheduler. What waits for a slow receiver is not lost. */
@Injectable()
export class OverdueGauge {
  static readonly mostCounted = MOST_COUNTED;

  constructor(
    private readonly found: DueDeliveries,
    private readonly scheduler: AttemptScheduler,
    private readonly clock: Clock,
  ) {}

  /** How many, counted to `mostCounted`, among those that are longest overdue. */
  async count(): Promise<number> {
    const now = this.clock.now();
    let count = 0;
    let after: DueKey | null = null;
    for (let page = 0; page < MOST_PAGES && count < MOST_COUNTED; page++) {
      const { pointers, next }: DuePointers = await this.found.dueBy('lostAt', now, PAGE, after);
      count += pointers.filter((pointer) => !this.scheduler.holds(pointer)).length;
      if (!next) break;
      after = next;
    }
    return Math.min(count, MOST_COUNTED);
  }
}
