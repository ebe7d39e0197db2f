import type { EmittedEvent } from '@domain/appointment/emission';
import { JsonText, renderJson } from '@domain/kernel/json-text';
import type { Position } from '@ports/event-store.port';
import { toAppointmentResource, toPreviousAttributes } from '../../appointments/appointment.resource.js';
import type { EventView } from './event.queries.js';

export const MAX_WEBHOOK_BYTES = 64 * 1024;

export interface EventIdentity {
  readonly eventId: string;
  readonly position: Position;
}

/** The body of a webhook. Leaves out notes, location and metadata if it would be too large. */
export function toEventBody(identity: EventIdentity, emitted: EmittedEvent): string {
  const whole = renderJson(toEventResource(identity, emitted));
  if (isWithin(MAX_WEBHOOK_BYTES, whole)) return whole;
  const appointment = { ...emitted.appointment, notes: null, location: null, metadata: '{}' };
  return renderJson({ ...toEventResource(identity, { ...emitted, appointment }), thin: true });
}

function toEventResource({ eventId, position }: EventIdentity, emitted: EmittedEvent) {
  const at = new Date(emitted.at).toISOString();
  const previous = toPreviousAttributes(emitted);
  const { reason, actor, correlationId, previousVersion } = emitted.change;
  return {
    id: eventId,
    object: 'event',
    type: emitted.type,
    api_version: 'v1',
    created_at: at,
    timestamp: at,
    sequence: sequenceOf(position),
    data: { object: toAppointmentResource(emitted.appointment), previous_attributes: previous },
    previous_attributes: previous,
    change: {
      reason,
      actor: { type: actor.type, session_id: actor.sessionId },
      correlation_id: correlationId,
      previous_version: previousVersion,
    },
    request: { id: emitted.request.id, idempotency_key: emitted.request.idempotencyKey },
  };
}

/** A JSON number, which may have more digits than a double holds. */
function sequenceOf(position: Position): number | JsonText {
  const sequence = Number(position);
  return Number.isSafeInteger(sequence) ? sequence : new JsonText(BigInt(position).toString());
}

/** A UTF-16 unit takes at most three bytes, so short texts need no measuring. */
function isWithin(bytes: number, text: string): boolean {
  return text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes;
}

export function toEventAnswer({ body, summary }: EventView): JsonText {
  const { total, succeeded, pending, failed, cancelled } = summary;
  const deliveries = JSON.stringify({ total, succeeded, pending, failed, cancelled });
  return new JsonText(`${body.slice(0, -1)},"delivery_summary":${deliveries}}`);
}
