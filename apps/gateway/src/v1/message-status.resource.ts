import { ApiSchema } from '@nestjs/swagger';
import { REPLY_STATUSES, type ReplyStatus } from '@application/conversations/conversation.commands';
import type { Standing } from '@application/conversations/follow/message-follower';
import type { ReplyState } from '@application/conversations/state/conversation-stream';
import { isClosure } from '@domain/conversation/conversation.events';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { catalogueEntry } from '../http/errors/error-catalogue.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { Member, one, TEXT } from '../http/docs/schemas.resource.js';
import { ConversationResource, toConversationResource } from './conversation.resource.js';
import { MessageResource, ReplyResource, toMessageResource, toReply } from './message.resource.js';

const STATUS: Readonly<Record<ReplyStatus, string>> = {
  queued: 'the message waits for the turns before it.',
  pending: 'the agent has not answered yet.',
  completed: '`reply` is there.',
  failed: 'there is no reply; `error` says why.',
  not_expected: 'a human has the conversation, and the message is kept for them.',
};

const OF_USERS = { required: false } as const;

@ApiSchema({ description: 'Why a message got no reply.' })
class ReplyErrorResource {
  @Member(TEXT, 'The kind of error, as in the error object.') type!: string;
  @Member(TEXT, 'The error code, as in the error object: `agent_unavailable`, `conversation_handed_off` or `conversation_ended`.')
  code!: string;
  @Member(TEXT, 'What happened, for people.') message!: string;
}

@ApiSchema({ description: 'A message as it stands now; of a message of the user also where its reply stands.' })
export class MessageStatusResource extends MessageResource {
  @Member(
    { type: () => ReplyResource, nullable: true, ...OF_USERS },
    "The agent's reply; null where there is none (yet). Of messages of the user.",
  )
  reply?: ReplyResource | null;
  @Member({ ...one(...REPLY_STATUSES), ...OF_USERS }, withMeanings('Where the reply stands. Of messages of the user.', STATUS))
  reply_status?: string;
  @Member({ type: () => ReplyErrorResource, ...OF_USERS }, 'Present where the status is `failed`.') error?: ReplyErrorResource;
  @Member({ type: () => ConversationResource, ...OF_USERS }, 'The conversation as it is now. Of messages of the user.')
  conversation?: ConversationResource;
}

export function toMessageStatusResource({ message, state, conversation }: Standing): MessageStatusResource {
  const item = toMessageResource(message);
  if (state === null) return item;
  const reply = state.is === 'replied' ? toReply(state.reply) : null;
  const error = state.is === 'failed' ? { error: replyErrorOf(state.reason) } : {};
  return { ...item, reply, reply_status: replyStatusOf(state), ...error, conversation: toConversationResource(conversation) };
}

/** Of a turn that failed, in the words of the error object. */
export function replyErrorOf(reason: string): ReplyErrorResource & { readonly code: ErrorCode } {
  const code: ErrorCode = isClosure(reason) ? reason : 'agent_unavailable';
  const message = isClosure(reason)
    ? 'The conversation was handed off or ended before the message had its turn.'
    : 'The agent could not answer.';
  return { type: catalogueEntry(code).type, code, message };
}

function replyStatusOf({ is }: ReplyState): ReplyStatus {
  switch (is) {
    case 'queued':
      return 'queued';
    case 'open':
      return 'pending';
    case 'replied':
      return 'completed';
    case 'kept':
      return 'not_expected';
    case 'failed':
      return 'failed';
  }
}
