import type { EmittedEvent } from '@domain/appointment/emission';
import { JsonText, renderJson } from '@domain/kernel/json-text';
import type { Position } from '@ports/event-store.port';
import { toAppointmentResource, toPreviousAttributes } from '../../appointments/appointment.resource.js';
import type { EventView } from './event.queries.js';

/** How large the body of a webhook may be. */
export const MAX_WEBHOOK_BYTES = 64 * 1024;

/** The id of an event and its position in the log. */
export interface Birth {
  readonly eventId: string;
  readonly position: Position;
}

/** The body of a webhook (api-contract §8.7). One that would be too large leaves out notes, location and metadata. */
export function toEventBody(birth: Birth, emitted: EmittedEvent): string {
  const whole = renderJson(toEventResource(birth, emitted));
  if (isWithin(MAX_WEBHOOK_BYTES, whole)) return whole;
  const appointment = { ...emitted.appointment, notes: null, location: null, metadata: '{}' };
  return renderJson({ ...toEventResource(birth, { ...emitted, appointment }), thin: true });
}

function toEventResource({ eventId, position }: Birth, emitted: EmittedEvent) {
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

/** The position as a number of JSON, which may have more digits than a double holds. */
function sequenceOf(position: Position): number | JsonText {
  const sequence = Number(position);
  return Number.isSafeInteger(sequence) ? sequence : new JsonText(BigInt(position).toString());
}

/** A UTF-16 unit takes three bytes at most, so a short text need not be measured. */
function isWithin(bytes: number, text: string): boolean {
  return text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes;
}

/** An event in a response: the body as receivers get it, and a summary of its deliveries. */
export function toEventAnswer({ body, summary }: EventView): JsonText {
  const { total, succeeded, pending, failed, cancelled } = summary;
  const deliveries = JSON.stringify({ total, succeeded, pending, failed, cancelled });
  return new JsonText(`${body.slice(0, -1)},"delivery_summary":${deliveries}}`);
}
