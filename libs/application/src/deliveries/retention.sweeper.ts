import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { ReadModels, type DueKey } from '@ports/read-models.port';
import { eventsProjection, type EventRow } from '../events/events.projection.js';
import type { Sweeper } from '../sweepers/sweeper.js';
import { dueIds, workThrough, type Due } from '../sweepers/work-through.js';
import { DeliveryStreams } from './delivery-streams.js';
import { DueDeliveries } from './due-deliveries.js';

const EVERY_MS = 600_000;
const PAGE = 100;
const DUE_EVENTS = [eventsProjection.schema.name, 'retireAt' satisfies keyof EventRow] as const;

/** Ends the deliveries of events that nobody can ask for any more; never unfinished ones. Their bytes go after that. */
@Injectable()
export class RetentionSweeper implements Sweeper {
  readonly name = 'retention';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly streams: DeliveryStreams,
    private readonly readModels: ReadModels,
    private readonly found: DueDeliveries,
    private readonly clock: Clock,
  ) {}

  async sweep(now: number, signal: AbortSignal): Promise<void> {
    const expire = (eventId: string) => this.expire(eventId);
    const failures = [
      ...(await workThrough(dueIds(this.readModels, DUE_EVENTS, now), expire, signal)),
      ...(await workThrough((after) => this.tests(now, after), expire, signal)),
    ];
    if (failures.length > 0) throw failures[0];
  }

  private async expire(eventId: string): Promise<void> {
    await this.streams.submit(eventId, { type: 'ExpireDeliveries', at: this.clock.now() });
  }

  private async tests(now: number, after: DueKey | null): Promise<Due<string>> {
    const { pointers, next } = await this.found.dueBy('retireAt', now, PAGE, after);
    return { items: [...new Set(pointers.map(({ eventId }) => eventId))], next };
  }
}
