import { Injectable } from '@nestjs/common';
import { EMITTED_TYPES } from '@domain/appointment/emission';
import { endpointOf, type Endpoints } from '@domain/endpoint/endpoint';
import { matches } from '@domain/endpoint/event-filter';
import type { RunningTask } from '../../tasks/task-kind.js';
import { eventsProjection, type EventRow } from '../fan-out/events.projection.js';
import type { BulkCandidate } from './bulk-resending.js';
import type { BulkItem } from './bulk-plan.js';
import type { Span } from './endpoint-parameters.js';
import { cursorOf, MatchedRows, type MatchedPage, type RowSelection } from './matched-rows.js';

export type EventItem = BulkItem & BulkCandidate;
export type EventPage = MatchedPage<EventRow>;

const { name } = eventsProjection.schema;

/** The events that pass the filters of a task's endpoint. */
@Injectable()
export class WantedEvents {
  constructor(private readonly rows: MatchedRows) {}

  /** Of that time, oldest first. */
  async *pages({ projectId }: RunningTask, selection: RowSelection, cursor: string | null): AsyncGenerator<EventPage> {
    const { value } = selection.by;
    if (Array.isArray(value) && value.length === 0) return;
    yield* this.rows.pages<EventRow>(name, projectId ?? '', selection, cursor);
  }
}

/** Events that pass the endpoint's filters among those of these types, where any are given. */
export function eventSelection(
  endpoints: Endpoints,
  endpointId: string,
  { from, before }: Span,
  types: readonly string[] = [],
): RowSelection {
  const filters = endpointOf(endpoints, endpointId)?.filters;
  const wanted = filters ? EMITTED_TYPES.filter((type) => matches(filters, type) && matches(types, type)) : [];
  return {
    by: { field: 'type', op: 'in', value: wanted },
    filter: [
      { field: 'createdAt', op: 'gte', value: from },
      { field: 'createdAt', op: 'lt', value: before },
    ],
  };
}

export function eventItems(
  page: EventPage,
  endpointId: string,
  isKept: (stored: EventPage[number]) => boolean,
): readonly EventItem[] {
  return page.filter(isKept).map((stored) => {
    const { id: eventId, row } = stored;
    return { deliveryId: null, eventId, endpointId, appointmentId: row.objectId, cursor: cursorOf(stored) };
  });
}
