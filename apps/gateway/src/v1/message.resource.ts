import { ApiProperty } from '@nestjs/swagger';
import type { PostedMessage } from '@application/conversations/conversation.commands';
import type { MessageView } from '@application/conversations/state/message-view';
import { APPOINTMENT_OPERATIONS, type ReplyAction } from '@domain/conversation/reply-action';
import { ROLES } from '@domain/kernel/role';
import { toTime } from '@application/read-models/time.resource';
import { ConversationResource, toConversationResource } from './conversation.resource.js';
import { idOf, idOrNull, one, TEXT, TIME } from './schemas.resource.js';

export class ActionResource {
  @ApiProperty(idOf('action')) id!: string;
  @ApiProperty({ type: 'string', description: '`handoff`, `end_conversation` or `appointment`; ignore others.' }) type!: string;
  @ApiProperty({ ...TEXT, required: false }) reason?: string;
  @ApiProperty({ type: 'string', nullable: true, required: false }) summary?: string | null;
  @ApiProperty({ ...one(...APPOINTMENT_OPERATIONS), required: false }) operation?: string;
  @ApiProperty({ ...idOf('appointment'), required: false }) appointment_id?: string;
  @ApiProperty(TIME) created_at!: string;
}

class AuthorResource {
  @ApiProperty(one('user', 'agent')) type!: string;
}

/** One message of a transcript. */
export class MessageResource {
  @ApiProperty(idOf('message')) id!: string;
  @ApiProperty(one('message')) object!: 'message';
  @ApiProperty(one(...ROLES)) role!: string;
  @ApiProperty(TEXT) content!: string;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(idOf('conversation')) conversation_id!: string;
  @ApiProperty(idOrNull('message')) in_reply_to!: string | null;
  @ApiProperty() author!: AuthorResource;
  @ApiProperty({ type: [ActionResource] }) actions!: ActionResource[];
  @ApiProperty({ type: 'array', items: {} }) attachments!: unknown[];
}

class ReplyResource {
  @ApiProperty(idOf('message')) id!: string;
  @ApiProperty(one('message')) object!: 'message';
  @ApiProperty(one('assistant')) role!: string;
  @ApiProperty(TEXT) content!: string;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty({ type: [ActionResource] }) actions!: ActionResource[];
}

/** The stored user message with the agent's reply. */
export class SentMessageResource {
  @ApiProperty(idOf('message')) id!: string;
  @ApiProperty(one('message')) object!: 'message';
  @ApiProperty(one('user')) role!: string;
  @ApiProperty(TEXT) content!: string;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(idOf('conversation')) conversation_id!: string;
  @ApiProperty() reply!: ReplyResource;
  @ApiProperty() conversation!: ConversationResource;
}

/** A message of a transcript (api-contract §8.2); `attachments` are always empty. */
export function toMessageResource(message: MessageView): MessageResource {
  const { id, role, content, createdAt, conversationId, inReplyTo } = message;
  return {
    id,
    object: 'message',
    role,
    content,
    created_at: toTime(createdAt),
    conversation_id: conversationId,
    in_reply_to: inReplyTo,
    author: { type: role === 'user' ? 'user' : 'agent' },
    actions: message.actions.map(toAction),
    attachments: [],
  };
}

/** The answer to a post (api-contract §8.3): the stored message, its reply and the conversation after both. */
export function toSentMessageResource({ message, reply, conversation }: PostedMessage): SentMessageResource {
  const { id, role, content, createdAt, conversationId: conversation_id } = message;
  return {
    id,
    object: 'message',
    role,
    content,
    created_at: toTime(createdAt),
    conversation_id,
    reply: toReply(reply),
    conversation: toConversationResource(conversation),
  };
}

function toReply({ id, role, content, createdAt, actions }: MessageView): ReplyResource {
  return { id, object: 'message', role, content, created_at: toTime(createdAt), actions: actions.map(toAction) };
}

function toAction(action: ReplyAction): ActionResource {
  const { id, type, createdAt } = action;
  const created_at = toTime(createdAt);
  switch (action.type) {
    case 'handoff':
      return { id, type, reason: action.reason, summary: action.summary, created_at };
    case 'end_conversation':
      return { id, type, reason: action.reason, created_at };
    case 'appointment':
      return { id, type, operation: action.operation, appointment_id: action.appointmentId, created_at };
  }
}
