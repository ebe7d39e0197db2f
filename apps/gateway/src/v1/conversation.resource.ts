import { ApiProperty } from '@nestjs/swagger';
import type { Conversation } from '@domain/conversation/conversation';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '../http/time.resource.js';
import { idOf, idOrNull, METADATA, one, TEXT_OR_NULL, TIME, TIME_OR_NULL } from './schemas.resource.js';

export class ConversationResource {
  @ApiProperty(idOf('conversation')) id!: string;
  @ApiProperty(one('conversation')) object!: 'conversation';
  @ApiProperty(one('active', 'ended', 'handed_off')) status!: string;
  @ApiProperty(TEXT_OR_NULL) external_id!: string | null;
  @ApiProperty(idOrNull('customer')) customer_id!: string | null;
  @ApiProperty(METADATA) metadata!: JsonText;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME_OR_NULL) last_message_at!: string | null;
  @ApiProperty(TIME_OR_NULL) ended_at!: string | null;
  @ApiProperty(TIME_OR_NULL) handed_off_at!: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: '`explicit`, `agent` or `idle`.' }) end_reason!: string | null;
}

export function toConversationResource(conversation: Conversation): ConversationResource {
  const { id, status, externalId, customerId, metadata, createdAt, lastMessageAt, endedAt, handedOffAt, endReason } =
    conversation;
  return {
    id,
    object: 'conversation',
    status,
    external_id: externalId,
    customer_id: customerId,
    metadata: new JsonText(metadata),
    created_at: toTime(createdAt),
    last_message_at: toTime(lastMessageAt),
    ended_at: toTime(endedAt),
    handed_off_at: toTime(handedOffAt),
    end_reason: endReason,
  };
}
