import { Injectable } from '@nestjs/common';
import { EMITTED_TYPES } from '@domain/appointment/emission';
import { endpointOf, type Endpoints } from '@domain/endpoint/endpoint';
import { matches } from '@domain/endpoint/event-filter';
import { ReadModels } from '@ports/read-models.port';
import { eventsProjection, type EventRow } from '../fan-out/events.projection.js';

const { name } = eventsProjection.schema;

export interface NewestEvent {
  readonly eventId: string;
  /** Whether it came after the other event. */
  readonly isLater: boolean;
}

/** The newest events of appointments, among those that an endpoint wants. */
@Injectable()
export class LatestEvents {
  constructor(private readonly readModels: ReadModels) {}

  /** The newest one of an event's appointment that passes the endpoint's filters; null where none does. */
  async newestBeside(
    {
      projectId,
      eventId,
      appointmentId,
      endpointId,
    }: Readonly<Record<'projectId' | 'eventId' | 'appointmentId' | 'endpointId', string>>,
    endpoints: Endpoints,
  ): Promise<NewestEvent | null> {
    const filters = endpointOf(endpoints, endpointId)?.filters;
    if (!filters) return null;
    const wanted = EMITTED_TYPES.filter((type) => matches(filters, type));
    if (wanted.length === 0) return null;
    const filter = [
      [{ field: 'objectId', op: 'eq', value: appointmentId } as const, { field: 'type', op: 'in', value: wanted } as const],
    ];
    const [newest] = await this.readModels.page(name, { projectId, filter, order: 'desc', limit: 1 });
    if (!newest) return null;
    const [own] = await this.readModels.getMany(name, [eventId]);
    return { eventId: newest.id, isLater: revisionOf(newest) > revisionOf(own ?? null) };
  }
}

function revisionOf(stored: { readonly row: object } | null): number {
  return stored === null ? -1 : (stored.row as EventRow).revision;
}
