import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Settings } from '@ports/settings.port';
import { DueDeliveries } from '../due-deliveries.js';

/** A larger count would cost more than it is worth to an operator. */
const MOST_COUNTED = 1_000;

/** Counts deliveries whose next attempt is late, by their rows: their pointer was lost, or they wait for room at the consumer. */
@Injectable()
export class OverdueGauge {
  static readonly mostCounted = MOST_COUNTED;

  constructor(
    private readonly found: DueDeliveries,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** How many, counted to `mostCounted`; none while deliveries are on hold. */
  async count(): Promise<number> {
    if (this.settings.webhookDelivery === 'hold') return 0;
    return (await this.found.dueBy('lostAt', this.clock.now(), MOST_COUNTED)).pointers.length;
  }
}
