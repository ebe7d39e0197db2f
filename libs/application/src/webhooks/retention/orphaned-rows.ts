import { Injectable } from '@nestjs/common';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { changeOrphanedRow } from '../../read-models/orphaned-row.js';
import { eventsProjection, type EventRow } from '../fan-out/events.projection.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { DeliveryStreams } from '../delivery-streams.js';

/** Rows of an event whose stream was dropped during a rebuild. */
@Injectable()
export class OrphanedRows {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly readModels: ReadModels,
  ) {}

  /** Ends the rows of this event and of this delivery of it. Changes nothing while their stream exists. */
  async end(eventId: string, deliveryId: string | null): Promise<void> {
    if (!(await this.streams.isGone(eventId))) return;
    const [events, deliveries] = [eventsProjection.schema.name, deliveriesProjection.schema.name];
    await changeOrphanedRow(this.readModels, events, eventId, withoutBytes);
    const deleted = (row: StoredRow) => ({ ...row, deleted: true });
    if (deliveryId) await changeOrphanedRow(this.readModels, deliveries, deliveryId, deleted);
  }
}

function withoutBytes({ text: _, row, ...rest }: StoredRow): StoredRow | null {
  const event = row as EventRow;
  return event.retireAt === null ? null : { ...rest, row: { ...event, retireAt: null } };
}
