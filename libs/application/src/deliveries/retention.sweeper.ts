import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { ReadModels } from '@ports/read-models.port';
import { eventsProjection } from '../events/events.projection.js';
import type { Sweeper } from '../sweepers/sweeper.js';
import { DeliveryStreams } from './delivery-streams.js';
import { DueDeliveries } from './due-deliveries.js';

const EVERY_MS = 600_000;
const BATCH = 500;

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
    const events = await this.readModels.due(eventsProjection.schema.name, 'retireAt', now, BATCH);
    const { pointers: tests } = await this.found.by('retireAt', now, BATCH);
    const eventIds = new Set([...events.map(({ id }) => id), ...tests.map(({ eventId }) => eventId)]);
    for (const eventId of eventIds) {
      if (signal.aborted) return;
      await this.streams.submit(eventId, { type: 'ExpireDeliveries', at: this.clock.now() });
    }
  }
}
