import { Injectable } from '@nestjs/common';
import { OVERDUE_AFTER_MS } from '@domain/delivery/retry-policy';
import { Clock } from '@ports/clock.port';
import { Settings } from '@ports/settings.port';
import { DueDeliveries } from '../due-deliveries.js';

/** Counting further would cost more than it is worth to an operator. */
const MAX_COUNTED = 1_000;
/** What the sweep finds has this long to begin, so that it counts as overdue two seconds after it was due. */
const BEGINS_WITHIN_MS = 2_000 - OVERDUE_AFTER_MS;

/** Counts deliveries whose attempt is two seconds late: the pointer was lost, or they wait at the consumer. */
@Injectable()
export class OverdueGauge {
  static readonly mostCounted = MAX_COUNTED;

  constructor(
    private readonly found: DueDeliveries,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Counted up to `MAX_COUNTED`; 0 while deliveries are on hold. */
  async count(): Promise<number> {
    if (this.settings.webhookDelivery === 'hold') return 0;
    return (await this.found.dueBy('lostAt', this.clock.now() - BEGINS_WITHIN_MS, MAX_COUNTED)).pointers.length;
  }
}
