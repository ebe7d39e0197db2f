import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import type { DueKey } from '@ports/read-models.port';
import { DueDeliveries, type DuePointers } from '../due-deliveries.js';
import { AttemptScheduler } from './attempt-scheduler.js';

const PAGE = 1_000;
/** An operator needs no better figure, and looking further costs more than it tells. */
const MOST_PAGES = 5;
const MOST_COUNTED = 1_000;

/** Deliveries whose pointer was lost: overdue, and not in hand. What waits in line for a slow receiver is not lost. */
@Injectable()
export class OverdueGauge {
  static readonly mostCounted = MOST_COUNTED;

  constructor(
    private readonly found: DueDeliveries,
    private readonly scheduler: AttemptScheduler,
    private readonly clock: Clock,
  ) {}

  /** How many there are among those that are longest overdue, counted to `mostCounted`. */
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
