import type { Conversation } from '@domain/conversation/conversation';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '../../read-models/time.resource.js';

/** A conversation on the wire (api-contract §8.1). */
export function toConversationResource(conversation: Conversation) {
  const { id, status, externalId, customerId, metadata, timeZone, createdAt, lastMessageAt, endedAt, handedOffAt, endReason } =
    conversation;
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
    end_reason: endReason,
  };
}
