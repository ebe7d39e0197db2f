import type { DeliveryTrigger } from '@domain/delivery/delivery.events';
import { correlationOf, type Envelope } from '@domain/kernel/envelope';

/** A message of the delivery topics: names a due attempt, without the webhook's content. */
export interface DeliveryPointer {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly projectId: string;
  readonly endpointId: string;
  readonly appointmentId: string;
  /** The attempt that is due, counted from 1. */
  readonly attempt: number;
  readonly dueAt: number;
  /** Absent in pointers of earlier versions. */
  readonly publishedAt?: number;
  /** Whether more is due for the endpoint than was published. */
  readonly more?: boolean;
  readonly correlationId?: string;
  /** Whether it is part of work in bulk, which gives way to live deliveries. Absent means false. */
  readonly bulk?: boolean;
  /** That of the span in which the delivery was scheduled, and of the one that published this pointer; where requests are traced. */
  readonly traceparent?: string;
  readonly publication?: string;
}

const TEXTS = ['eventId', 'deliveryId', 'projectId', 'endpointId', 'appointmentId'] as const;
const OPTIONAL_TEXTS = ['correlationId', 'traceparent', 'publication'] as const;
const NUMBERS = ['attempt', 'dueAt'] as const;

export function parsePointer(text: unknown): DeliveryPointer | null {
  const value = typeof text === 'string' ? parsed(text) : null;
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Record<string, unknown>;
  const { publishedAt, more, bulk } = members;
  const isPointer =
    TEXTS.every((name) => typeof members[name] === 'string') &&
    NUMBERS.every((name) => Number.isFinite(members[name])) &&
    (publishedAt === undefined || Number.isFinite(publishedAt)) &&
    (more === undefined || typeof more === 'boolean') &&
    (bulk === undefined || typeof bulk === 'boolean') &&
    OPTIONAL_TEXTS.every((name) => members[name] === undefined || typeof members[name] === 'string');
  return isPointer ? (value as DeliveryPointer) : null;
}

export function bulkOf(trigger: DeliveryTrigger): Pick<DeliveryPointer, 'bulk'> {
  return trigger === 'bulk_replay' ? { bulk: true } : {};
}

/** The line of an endpoint in which a delivery waits: bulk ones have one of their own. */
export function lineOf({ endpointId, bulk = false }: Pick<DeliveryPointer, 'endpointId' | 'bulk'>): string {
  return bulk ? bulkLineOf(endpointId) : endpointId;
}

function bulkLineOf(endpointId: string): string {
  return `${endpointId} bulk`;
}

export function linesOf(endpointId: string): readonly [live: string, bulk: string] {
  return [endpointId, bulkLineOf(endpointId)];
}

export function endpointIn(line: string): string {
  return line.split(' ', 1)[0] ?? line;
}

/** Due whatever the clock says when it is published or read. */
export function dueNow(pointer: DeliveryPointer): DeliveryPointer {
  return { ...pointer, dueAt: 0 };
}

/** A pointer that was due at `decidedAt` stays due even if the clock is set back. */
export function dueSince(pointer: DeliveryPointer, decidedAt: number): DeliveryPointer {
  return pointer.dueAt <= decidedAt ? dueNow(pointer) : pointer;
}

/** What pointers and rows tell of the cause of a delivery, of the metadata of the event that scheduled it. */
export function causeIn(metadata: Envelope | undefined): Pick<DeliveryPointer, 'correlationId' | 'traceparent'> {
  if (!metadata) return {};
  const { $correlationId: correlationId, traceparent } = metadata;
  return traceparent === undefined ? { correlationId } : { correlationId, traceparent };
}

export function attemptEnvelope({ correlationId, eventId }: DeliveryPointer): Envelope {
  return { $correlationId: correlationId ?? correlationOf(eventId) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
