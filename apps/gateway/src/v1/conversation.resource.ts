import { ApiProperty } from '@nestjs/swagger';
import { toConversationResource as toRendered } from '@application/conversations/state/conversation.resource';
import { END_REASONS } from '@domain/conversation/conversation.events';
import { CONVERSATION_STATUSES, type Conversation } from '@domain/conversation/conversation';
import type { JsonText } from '@domain/kernel/json-text';
import { idOf, idOrNull, METADATA, one, oneOrNull, TEXT_OR_NULL, TIME, TIME_OR_NULL } from './schemas.resource.js';

export class ConversationResource {
  @ApiProperty(idOf('conversation')) id!: string;
  @ApiProperty(one('conversation')) object!: 'conversation';
  @ApiProperty(one(...CONVERSATION_STATUSES)) status!: string;
  @ApiProperty(TEXT_OR_NULL) external_id!: string | null;
  @ApiProperty(idOrNull('customer')) customer_id!: string | null;
  @ApiProperty(METADATA) metadata!: JsonText;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME_OR_NULL) last_message_at!: string | null;
  @ApiProperty(TIME_OR_NULL) ended_at!: string | null;
  @ApiProperty(TIME_OR_NULL) handed_off_at!: string | null;
  @ApiProperty(oneOrNull(...END_REASONS)) end_reason!: string | null;
}

// Does not compile when the documented and the rendered shape differ.
export const toConversationResource: (conversation: Conversation) => ConversationResource = toRendered;
