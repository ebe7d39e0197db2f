import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '../read-models/time.resource.js';
import type { SessionView } from './session.commands.js';

export function toSessionResource(session: SessionView) {
  return {
    id: session.id,
    object: 'session' as const,
    status: session.status,
    channel: 'voice' as const,
    direction: session.direction,
    external_id: session.externalId,
    from: session.from,
    to: session.to,
    customer_id: session.customerId,
    conversation_id: session.conversationId,
    appointment_ids: session.appointmentIds,
    outcome: session.outcome,
    end_reason: session.endReason,
    summary: session.summary,
    metadata: new JsonText(session.metadata),
    started_at: toTime(session.startedAt),
    ended_at: toTime(session.endedAt),
    duration_seconds: session.durationSeconds,
    created_at: toTime(session.startedAt),
  };
}
