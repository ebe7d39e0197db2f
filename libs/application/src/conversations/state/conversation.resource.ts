import type { Conversation } from '@domain/conversation/conversation';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '../../read-models/time.resource.js';

export function toConversationResource(conversation: Conversation) {
  const { id, status, externalId, customerId, metadata, timeZone, createdAt, lastMessageAt, endedAt } = conversation;
  const { handedOffAt, handoff, endReason } = conversation;
  return {
    id,
    object: 'conversation' as const,
    status,
    external_id: externalId,
    customer_id: customerId,
    metadata: new JsonText(metadata),
    time_zone: timeZone,
    created_at: toTime(createdAt),
    last_message_at: toTime(lastMessageAt),
    ended_at: toTime(endedAt),
    handed_off_at: toTime(handedOffAt),
    handoff: handoff && { by: handoff.by, reason: handoff.reason, summary: handoff.summary, at: toTime(handoff.at) },
    end_reason: endReason,
  };
}
