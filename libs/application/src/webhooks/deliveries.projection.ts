import { evolveDelivery, isFinished, isWaiting, scheduledDelivery, type Delivery } from '@domain/delivery/delivery';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import type { Recorded } from '@ports/event-store.port';
import type { RowsSchema, StoredRow } from '@ports/read-models.port';
import { idIn } from '@ports/stream-category';
import type { ProjectedRow, Projection } from '../read-models/projection.js';
import type { DeliveryPointer } from './delivery-pointer.js';

/** The row of a delivery, for sweeps and lists. */
export interface DeliveryRow extends Omit<Delivery, 'id' | 'createdAt' | 'disablings'> {
  readonly eventId: string;
  readonly eventType: string;
  readonly appointmentId: string;
  /** The endpoint while the delivery waits for its next attempt, else null: an index over it leaves finished deliveries out. */
  readonly waitsFor: string | null;
  /** When its next attempt is due, or the lease of the attempt under way runs out. */
  readonly wakeAt: number | null;
  /** From then on the sweep may publish another pointer. */
  readonly lostAt: number | null;
  /** The clock's time when it began to wait for its next attempt; null while it does not. */
  readonly waitsSince: number | null;
  /** When the attempt under way began. */
  readonly claimedAt: number | null;
  /** When the deliveries of a test event are dropped; null for those of other events, which are dropped with the event. */
  readonly retireAt: number | null;
  /** That of what the delivery was scheduled for; absent where its event tells none, as those of earlier versions. */
  readonly correlationId?: string;
}

/** Rows under the ids of endpoints, each shared by all deliveries to one. No sweep looks for them. */
export const ENDPOINT_HEALTH: RowsSchema = { name: 'endpoint-health', filterFields: [], dueFields: [] };

export const deliveriesProjection: Projection<DeliveryEvent, DeliveryRow> = {
  schema: {
    name: 'deliveries',
    version: 5,
    filterFields: ['waitsFor', 'wakeAt'],
    dueFields: ['wakeAt', 'lostAt', 'waitsSince', 'claimedAt', 'retireAt'],
    shared: ENDPOINT_HEALTH,
  },
  idKind: 'delivery',
  categories: ['deliveries'],
  rowIds: ({ event }) => ('deliveryId' in event ? [event.deliveryId] : []),
  begins: ({ event }) => event.type === 'DeliveryScheduled',
  project(before, { event, stream, metadata }) {
    if (event.type === 'EventFrozen' || event.type === 'DeliveriesExpired') return null;
    if (event.type === 'DeliveryScheduled') {
      const { projectId, eventType, appointmentId } = event;
      const about = {
        eventId: idIn(stream),
        eventType,
        appointmentId,
        ...(metadata && { correlationId: metadata.$correlationId }),
      };
      return { projectId, createdAt: event.at, deleted: false, row: toRow(scheduledDelivery(event), about) };
    }
    if (before === null) return null;
    const { projectId, createdAt, row } = before;
    const known = { id: event.deliveryId, createdAt, disablings: null, ...row };
    return { projectId, createdAt, deleted: event.type === 'DeliveryExpired', row: toRow(evolveDelivery(known, event), row) };
  },
  shared: {
    rowId: ({ event }, { endpointId }) => ('result' in event && event.result ? endpointId : null),
    project: endpointAfter,
  },
};

export interface EndpointHealthRow {
  /** When the first attempt began that failed since the last success, of whichever delivery; null when none did. */
  readonly failingSince: number | null;
}

function endpointAfter(
  before: ProjectedRow<object> | null,
  { event }: Recorded<DeliveryEvent>,
  projectId: string,
): ProjectedRow<EndpointHealthRow> | null {
  if (!('result' in event) || event.result === null) return null;
  const known = before as ProjectedRow<EndpointHealthRow> | null;
  const since = known?.row.failingSince ?? null;
  const failingSince = event.type === 'DeliverySucceeded' ? null : (since ?? event.result.startedAt);
  if (known && failingSince === since) return null;
  return { projectId, createdAt: event.at, deleted: false, row: { failingSince } };
}

type About = Pick<DeliveryRow, 'eventId' | 'eventType' | 'appointmentId' | 'correlationId'>;

function toRow(delivery: Delivery, { eventId, eventType, appointmentId, correlationId }: About): DeliveryRow {
  const { claim, dueAt, overdueAt, decidedAt, trigger, createdAt } = delivery;
  const leaseUntil = claim?.leaseUntil ?? null;
  return {
    eventId,
    eventType,
    appointmentId,
    endpointId: delivery.endpointId,
    url: delivery.url,
    trigger,
    replayOf: delivery.replayOf,
    supersededBy: delivery.supersededBy,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    maxAttempts: delivery.maxAttempts,
    firstStartedAt: delivery.firstStartedAt,
    claim,
    dueAt,
    overdueAt,
    decidedAt,
    lastResponseStatus: delivery.lastResponseStatus,
    failureReason: delivery.failureReason,
    cancelReason: delivery.cancelReason,
    completedAt: delivery.completedAt,
    ...(isWaiting(delivery) ? { waitsFor: delivery.endpointId, waitsSince: decidedAt } : { waitsFor: null, waitsSince: null }),
    wakeAt: dueAt ?? leaseUntil,
    lostAt: overdueAt ?? leaseUntil,
    claimedAt: claim?.startedAt ?? null,
    retireAt: trigger === 'test' && isFinished(delivery) ? createdAt + RETIRE_AFTER_MS : null,
    ...(correlationId !== undefined && { correlationId }),
  };
}

/** The pointer to the delivery of a row. */
export function pointerTo({ id, projectId, row }: StoredRow<DeliveryRow>): DeliveryPointer {
  const { eventId, endpointId, appointmentId, attemptCount, wakeAt, correlationId } = row;
  const due = { attempt: attemptCount + 1, dueAt: wakeAt ?? 0, ...(correlationId !== undefined && { correlationId }) };
  return { eventId, deliveryId: id, projectId, endpointId, appointmentId, ...due };
}
