import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedType, type EmittedType } from '@domain/appointment/emission';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import { unchanged } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import { streamCategory, idIn } from '@ports/stream-category';
import type { ProjectedRow, Projection } from '../../read-models/projection.js';
import { deliveriesStream } from '../deliveries-stream.js';
import { emittedId } from './emitted-events.js';
import type { DeliverySummary } from './event.queries.js';

/** Written with the change. Its text is the webhook's body once that is frozen. */
export interface EventRow extends DeliverySummary {
  readonly type: EmittedType;
  readonly objectId: string;
  /** Of the request that caused the change; null where none did. */
  readonly requestId: string | null;
  readonly stream: string;
  readonly revision: number;
  /** When its deliveries are dropped; null while there are none to drop. */
  readonly retireAt: number | null;
}

export const eventsProjection: Projection<AppointmentEvent | DeliveryEvent, EventRow> = {
  schema: { name: 'events', version: 2, filterFields: ['type', 'objectId', 'requestId'], dueFields: ['retireAt'] },
  columns: {
    type: { type: 'text', meaning: 'What happened, such as `appointment.confirmed`.' },
    objectId: { type: 'text', name: 'appointment_id', meaning: 'The appointment that it is about.' },
    requestId: { type: 'text', meaning: 'The `Request-Id` of the request that caused it; null where none did.' },
    stream: { type: 'text', meaning: 'The stream of the log that it is in.' },
    revision: { type: 'integer', meaning: 'Its number in that stream, from 0.' },
    total: { type: 'integer', meaning: 'How many deliveries it has.' },
    succeeded: { type: 'integer', meaning: 'Deliveries that a receiver answered with 2xx.' },
    pending: { type: 'integer', meaning: 'Deliveries that are not over.' },
    failed: { type: 'integer', meaning: 'Deliveries that were given up.' },
    cancelled: { type: 'integer', meaning: 'Deliveries that are no longer to be sent.' },
    retireAt: { leftOut: 'An index: when its deliveries are dropped.' },
  },
  idKind: 'event',
  categories: ['appointment', 'deliveries'],
  rowIds(record) {
    const { stream } = record;
    const id = streamCategory(stream) === 'deliveries' ? idIn(stream) : emittedId(record as Recorded<AppointmentEvent>);
    return id === null ? [] : [id];
  },
  begins: ({ stream }) => streamCategory(stream) === 'appointment',
  streamsOf: ({ stream }, id) => [stream, deliveriesStream(id)],
  project(before, { event, stream, revision }) {
    if (streamCategory(stream) === 'deliveries') return before && afterDelivery(before, event as DeliveryEvent);
    const change = event as AppointmentEvent;
    const type = emittedType(change);
    if (!type) return null;
    const row: EventRow = {
      type,
      objectId: idIn(stream),
      requestId: change.cause.requestId,
      stream,
      revision,
      retireAt: null,
      total: 0,
      succeeded: 0,
      pending: 0,
      failed: 0,
      cancelled: 0,
    };
    return { projectId: change.projectId, createdAt: change.at, deleted: false, row };
  },
};

type Before = ProjectedRow<EventRow>;

function afterDelivery(before: Before, event: DeliveryEvent): Before | null {
  const { row, text } = before;
  switch (event.type) {
    case 'EventFrozen':
      return changed(before, { retireAt: before.createdAt + RETIRE_AFTER_MS }, () => event.body);
    case 'DeliveryScheduled':
      return changed(before, { total: row.total + 1, pending: row.pending + 1 }, text);
    case 'DeliverySucceeded':
      return changed(before, { pending: row.pending - 1, succeeded: row.succeeded + 1 }, text);
    case 'DeliveryFailed':
      return changed(before, { pending: row.pending - 1, failed: row.failed + 1 }, text);
    case 'DeliveryCancelled':
      return changed(before, { pending: row.pending - 1, cancelled: row.cancelled + 1 }, text);
    case 'DeliveriesExpired':
      return changed(before, { retireAt: null }, undefined);
    case 'DeliveryClaimed':
    case 'DeliveryPaused':
    case 'DeliveryPostponed':
    case 'DeliveryRescheduled':
    case 'DeliveryResumed':
    case 'DeliveryRetryScheduled':
    case 'DeliverySuperseded':
    case 'DeliveryExpired':
      return null;
    default:
      return unchanged(null, event);
  }
}

function changed({ projectId, createdAt, deleted, row }: Before, change: Partial<EventRow>, text: Before['text']): Before {
  return { projectId, createdAt, deleted, row: { ...row, ...change }, ...(text && { text }) };
}
