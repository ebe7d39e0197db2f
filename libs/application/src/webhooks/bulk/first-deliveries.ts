import { Injectable } from '@nestjs/common';
import { ReadModels } from '@ports/read-models.port';
import { deliveriesProjection } from '../deliveries.projection.js';
import { NewDeliveries } from '../new-deliveries.js';
import type { EventPage } from './wanted-events.js';

const { name } = deliveriesProjection.schema;

/** Events whose first delivery was made when they happened: most of all. Of the others their streams tell. */
@Injectable()
export class FirstDeliveries {
  constructor(
    private readonly readModels: ReadModels,
    private readonly scheduling: NewDeliveries,
  ) {}

  async of(rows: EventPage, endpointId: string): Promise<ReadonlySet<string>> {
    const ids = rows.map(({ id: eventId, createdAt: emittedAt }) =>
      this.scheduling.firstIdOf({ eventId, emittedAt }, endpointId),
    );
    const found = await this.readModels.getMany(name, ids);
    return new Set(rows.flatMap(({ id }, index) => (found[index] ? [id] : [])));
  }
}
