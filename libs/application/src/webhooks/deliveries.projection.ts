import {
  evolveDelivery,
  isFinished,
  isWaiting,
  scheduledDelivery,
  type Delivery,
  type DeliveryStatus,
} from '@domain/delivery/delivery';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { responseClassOf, type ResponseClass } from '@domain/delivery/outcome';
import { RETIRE_AFTER_MS } from '@domain/event/event-window';
import type { StoredRow } from '@ports/read-models.port';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';
import { bulkOf, causeIn, lineOf, type DeliveryPointer } from './delivery-pointer.js';
import { deliveriesStream } from './deliveries-stream.js';
import { DELIVERY_COLUMNS } from './delivery-columns.js';
import { ENDPOINT_HEALTH, healthChanges } from './endpoint-health-row.js';
import { statsChanges } from './stats/stats-changes.js';

export interface DeliveryRow extends Omit<Delivery, 'id' | 'createdAt' | 'disablings'> {
  readonly eventId: string;
  readonly eventType: string;
  readonly appointmentId: string;
  /** How many of its attempts are over. Never changes once it is finished. */
  readonly attemptsOver: number;
  /** As `endpointStatus` makes it: an index over it finds an endpoint's deliveries in a status. */
  readonly endpointStatus: string;
  /** Of the latest attempt that is over; null before one is. */
  readonly responseStatusClass: ResponseClass | null;
  /**
   * The endpoint's line, while the delivery waits for an attempt; as `resumptionOf` says while it waits for the endpoint to be resumed. An
   * index over it therefore excludes finished deliveries, and those of paused endpoints are apart.
   */
  readonly waitsFor: string | null;
  /** When the next attempt is due, or the current attempt's lease ends. */
  readonly wakeAt: number | null;
  /** From then on the sweep may publish another pointer. */
  readonly lostAt: number | null;
  /** When it began to wait for its next attempt; null while it does not. */
  readonly waitsSince: number | null;
  readonly claimedAt: number | null;
  /** When a test event's deliveries are dropped; null for other events, whose deliveries are dropped with the event. */
  readonly retireAt: number | null;
  /** Absent for events of earlier versions. */
  readonly correlationId?: string;
  /** Likewise that of the span in which it was scheduled. */
  readonly traceparent?: string;
}

/** An endpoint and a status as one member, since an index covers one. */
export function endpointStatus(endpointId: string, status: DeliveryStatus): string {
  return `${endpointId} ${status}`;
}

/** What a paused delivery to the endpoint waits for. */
export function resumptionOf(endpointId: string): string {
  return `${endpointId} resumed`;
}

/** Those by which clients list deliveries; a list by several goes along the first of them, which mostly has the fewest rows. */
export const LISTED_BY = [
  'eventId',
  'appointmentId',
  'endpointStatus',
  'endpointId',
  'lastErrorCode',
  'status',
  'responseStatusClass',
  'trigger',
  'eventType',
] as const satisfies readonly (keyof DeliveryRow)[];

export const deliveriesProjection: Projection<DeliveryEvent, DeliveryRow> = {
  schema: {
    name: 'deliveries',
    version: 9,
    filterFields: ['waitsFor', 'wakeAt', ...LISTED_BY],
    dueFields: ['wakeAt', 'lostAt', 'waitsSince', 'claimedAt', 'retireAt'],
    shared: ENDPOINT_HEALTH,
  },
  columns: DELIVERY_COLUMNS,
  idKind: 'delivery',
  categories: ['deliveries'],
  rowIds: ({ event }) => ('deliveryId' in event ? [event.deliveryId] : []),
  begins: ({ event }) => event.type === 'DeliveryScheduled',
  streamsOf: ({ eventId }) => [deliveriesStream(eventId)],
  project(before, { event, stream, metadata }) {
    if (event.type === 'EventFrozen' || event.type === 'DeliveriesExpired') return null;
    if (event.type === 'DeliveryScheduled') {
      const { projectId, eventType, appointmentId } = event;
      const about = {
        eventId: idIn(stream),
        eventType,
        appointmentId,
        attemptsOver: 0,
        ...causeIn(metadata),
      };
      return { projectId, createdAt: event.at, deleted: false, row: toRow(scheduledDelivery(event), about) };
    }
    if (before === null) return null;
    const { projectId, createdAt, row } = before;
    const known = { id: event.deliveryId, createdAt, disablings: null, ...row };
    const attemptsOver = ('result' in event ? event.result?.attempt : undefined) ?? row.attemptsOver;
    const after = toRow(evolveDelivery(known, event), { ...row, attemptsOver });
    return { projectId, createdAt, deleted: event.type === 'DeliveryExpired', row: after };
  },
  shared: {
    changes: ({ event }, { endpointId, trigger, attemptsOver }, projectId) => [
      ...healthChanges(event, { endpointId, trigger, projectId }),
      ...statsChanges(event, { endpointId, trigger, projectId, attemptsOver }),
    ],
  },
};

type About = Pick<DeliveryRow, 'eventId' | 'eventType' | 'appointmentId' | 'attemptsOver' | 'correlationId' | 'traceparent'>;

function toRow(delivery: Delivery, about: About): DeliveryRow {
  const { eventId, eventType, appointmentId, attemptsOver, correlationId, traceparent } = about;
  const { claim, dueAt, overdueAt, decidedAt, trigger, createdAt, paused } = delivery;
  const leaseUntil = claim?.leaseUntil ?? null;
  return {
    eventId,
    eventType,
    appointmentId,
    attemptsOver,
    endpointId: delivery.endpointId,
    url: delivery.url,
    trigger,
    replayOf: delivery.replayOf,
    supersededBy: delivery.supersededBy,
    status: delivery.status,
    endpointStatus: endpointStatus(delivery.endpointId, delivery.status),
    attemptCount: delivery.attemptCount,
    maxAttempts: delivery.maxAttempts,
    firstStartedAt: delivery.firstStartedAt,
    claim,
    paused,
    dueAt,
    overdueAt,
    decidedAt,
    lastAttemptAt: delivery.lastAttemptAt,
    lastResponseStatus: delivery.lastResponseStatus,
    responseStatusClass: delivery.lastAttemptAt === null ? null : responseClassOf(delivery.lastResponseStatus),
    lastErrorCode: delivery.lastErrorCode,
    failureReason: delivery.failureReason,
    cancelReason: delivery.cancelReason,
    completedAt: delivery.completedAt,
    waitsFor: waitsForOf(delivery),
    waitsSince: isWaiting(delivery) && !paused ? decidedAt : null,
    wakeAt: dueAt ?? leaseUntil,
    lostAt: overdueAt ?? leaseUntil,
    claimedAt: claim?.startedAt ?? null,
    retireAt: trigger === 'test' && isFinished(delivery) ? createdAt + RETIRE_AFTER_MS : null,
    ...(correlationId !== undefined && { correlationId }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

function waitsForOf(delivery: Delivery): string | null {
  if (!isWaiting(delivery)) return null;
  return delivery.paused
    ? resumptionOf(delivery.endpointId)
    : lineOf({ endpointId: delivery.endpointId, ...bulkOf(delivery.trigger) });
}

export function pointerTo({ id, projectId, row }: StoredRow<DeliveryRow>): DeliveryPointer {
  const { eventId, endpointId, appointmentId, attemptCount, wakeAt, trigger, correlationId, traceparent } = row;
  const due = { attempt: attemptCount + 1, dueAt: wakeAt ?? 0 };
  const cause = { ...(correlationId !== undefined && { correlationId }), ...(traceparent !== undefined && { traceparent }) };
  return { eventId, deliveryId: id, projectId, endpointId, appointmentId, ...due, ...bulkOf(trigger), ...cause };
}
