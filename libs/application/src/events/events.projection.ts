import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedType, type EmittedType } from '@domain/appointment/emission';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import type { Recorded } from '@ports/event-store.port';
import { categoryOf, idIn } from '@ports/stream-name';
import type { ProjectedRow, Projection } from '../projections/projection.js';
import { emittedId } from './emitted-events.js';
import type { DeliverySummary } from './event.queries.js';

/** An emitted event as the log keeps it: there from the change on. Its text are its bytes, once they are frozen. */
export interface EventRow extends DeliverySummary {
  readonly type: EmittedType;
  /** The appointment. */
  readonly objectId: string;
  readonly stream: string;
  readonly revision: number;
  /** When its deliveries are to be dropped; null while there are none to drop. */
  readonly retireAt: number | null;
}

export const eventsProjection: Projection<AppointmentEvent | DeliveryEvent, EventRow> = {
  schema: { name: 'events', version: 1, filterFields: ['type', 'objectId'], dueFields: ['retireAt'] },
  idKind: 'event',
  categories: ['appointment', 'deliveries'],
  rowId: (record) =>
    categoryOf(record.stream) === 'deliveries' ? idIn(record.stream) : emittedId(record as Recorded<AppointmentEvent>),
  begins: ({ stream }) => categoryOf(stream) === 'appointment',
  project(before, { event, stream, revision }) {
    if (categoryOf(stream) === 'deliveries') return before && afterDelivery(before, event as DeliveryEvent);
    const change = event as AppointmentEvent;
    const type = emittedType(change);
    if (!type) return null;
    const row: EventRow = {
      ...{ type, objectId: idIn(stream), stream, revision, retireAt: null },
      ...{ total: 0, succeeded: 0, pending: 0, failed: 0, cancelled: 0 },
    };
    return { projectId: change.projectId, createdAt: change.at, deleted: false, row };
  },
};

function afterDelivery(before: ProjectedRow<EventRow>, event: DeliveryEvent): ProjectedRow<EventRow> | null {
  const { text: _, ...textless } = before;
  const { row } = before;
  switch (event.type) {
    case 'EventFrozen':
      return { text: () => event.body, ...textless, row: { ...row, retireAt: before.createdAt + RETIRE_AFTER_MS } };
    case 'DeliveryScheduled':
      return { ...before, row: { ...row, total: row.total + 1, pending: row.pending + 1 } };
    case 'DeliverySucceeded':
      return { ...before, row: { ...row, pending: row.pending - 1, succeeded: row.succeeded + 1 } };
    case 'DeliveryFailed':
      return { ...before, row: { ...row, pending: row.pending - 1, failed: row.failed + 1 } };
    case 'DeliveryCancelled':
      return { ...before, row: { ...row, pending: row.pending - 1, cancelled: row.cancelled + 1 } };
    case 'DeliveriesExpired':
      return { ...textless, row: { ...row, retireAt: null } };
    case 'DeliveryClaimed':
    case 'DeliveryRetryScheduled':
    case 'DeliverySuperseded':
    case 'DeliveryExpired':
      return null;
  }
}
