import { Injectable } from '@nestjs/common';
import { START } from '@ports/event-store.port';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { eventsProjection, type EventRow } from '../fan-out/events.projection.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { DeliveryStreams } from '../delivery-streams.js';

/**
 * Rows of deliveries whose stream was dropped while a rebuild had read only its beginning. No event will ever change them, so
 * they are written here, beside the projections, as the last events of the stream would have left them.
 */
@Injectable()
export class OrphanedRows {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly readModels: ReadModels,
  ) {}

  /** Ends the rows of this event and of this delivery of it. Changes nothing while their stream exists. */
  async end(eventId: string, deliveryId: string | null): Promise<void> {
    if (!(await this.streams.isGone(eventId))) return;
    await this.write(eventsProjection.schema.name, eventId, withoutBytes);
    if (deliveryId) await this.write(deliveriesProjection.schema.name, deliveryId, (row) => ({ ...row, deleted: true }));
  }

  /** Writes the row as of the read model's checkpoint, which is later than any event of the dropped stream. */
  private async write(name: string, id: string, ended: (row: StoredRow) => StoredRow | null): Promise<void> {
    const position = await this.readModels.checkpoint(name);
    const [row] = await this.readModels.getMany(name, [id]);
    const changed = row && !row.deleted ? ended(row) : null;
    if (changed) await this.readModels.apply(name, [{ ...changed, position }], START);
  }
}

function withoutBytes({ text: _, row, ...rest }: StoredRow): StoredRow | null {
  const event = row as EventRow;
  return event.retireAt === null ? null : { ...rest, row: { ...event, retireAt: null } };
}
