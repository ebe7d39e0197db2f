import { correlationOf, type Envelope } from '@domain/kernel/envelope';

/** A message of the delivery topics: names an attempt that is due, without the webhook's content. */
export interface DeliveryPointer {
  readonly eventId: string;
  readonly deliveryId: string;
  readonly projectId: string;
  readonly endpointId: string;
  readonly appointmentId: string;
  /** The attempt that is due, counted from 1. */
  readonly attempt: number;
  readonly dueAt: number;
  /** When the pointer was published; absent in pointers of earlier versions. */
  readonly publishedAt?: number;
  /** Whether more is due for the endpoint than pointers were published to. */
  readonly more?: boolean;
  /** That of what the delivery was scheduled for; absent in pointers of earlier versions. */
  readonly correlationId?: string;
}

const TEXTS = ['eventId', 'deliveryId', 'projectId', 'endpointId', 'appointmentId'] as const;
const NUMBERS = ['attempt', 'dueAt'] as const;

/** Null for a value that is not a pointer. */
export function parsePointer(text: unknown): DeliveryPointer | null {
  const value = typeof text === 'string' ? parsed(text) : null;
  if (typeof value !== 'object' || value === null) return null;
  const members = value as Record<string, unknown>;
  const { publishedAt, more, correlationId } = members;
  const isPointer =
    TEXTS.every((name) => typeof members[name] === 'string') &&
    NUMBERS.every((name) => Number.isFinite(members[name])) &&
    (publishedAt === undefined || Number.isFinite(publishedAt)) &&
    (more === undefined || typeof more === 'boolean') &&
    (correlationId === undefined || typeof correlationId === 'string');
  return isPointer ? (value as DeliveryPointer) : null;
}

/** A pointer that is due whatever the clock says when it is published or read. */
export function dueNow(pointer: DeliveryPointer): DeliveryPointer {
  return { ...pointer, dueAt: 0 };
}

/** The same pointer; one that was due when it was decided on stays so, though the clock may be set back. */
export function dueSince(pointer: DeliveryPointer, decidedAt: number): DeliveryPointer {
  return pointer.dueAt <= decidedAt ? dueNow(pointer) : pointer;
}

/** The envelope of what an attempt appends to the stream that its delivery was scheduled in. */
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
