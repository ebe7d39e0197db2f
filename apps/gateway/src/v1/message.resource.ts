import { ApiSchema } from '@nestjs/swagger';
import type { PostedMessage } from '@application/conversations/conversation.commands';
import type { MessageView } from '@application/conversations/state/message-view';
import { APPOINTMENT_OPERATIONS, type AppointmentOperation, type ReplyAction } from '@domain/conversation/reply-action';
import { ROLES } from '@domain/kernel/role';
import { toTime } from '@application/read-models/time.resource';
import { ConversationResource, toConversationResource } from './conversation.resource.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { ROLE } from './meanings.js';
import { idOf, idOrNull, KindMember, Member, one, TEXT, TEXT_OR_NULL, TIME } from '../http/docs/schemas.resource.js';

const OPERATION: Readonly<Record<AppointmentOperation, string>> = {
  created: 'it was booked, or booked again.',
  confirmed: 'it was confirmed.',
  rescheduled: 'it was moved.',
  cancelled: 'it was called off.',
  failed: 'an attempt to book it failed, and that was recorded.',
};

const REPLY_STATUS = {
  queued: 'the message waits for the turns before it.',
  pending: 'the agent has not answered yet.',
  not_expected: 'a human has the conversation, and the message is kept for them.',
};

const IF_OF_THE_TYPE = { required: false } as const;

@ApiSchema({ description: 'What the agent did with a reply.' })
export class ActionResource {
  @Member(idOf('action'), 'Names the action.') id!: string;
  @Member(
    TEXT,
    withMeanings('What kind of action it was. More may be added; ignore those you do not know.', {
      handoff: 'the conversation was handed over to a human; `reason` and `summary` tell more.',
      end_conversation: 'the conversation was ended; `reason` tells why.',
      appointment: 'an appointment was changed; `operation` and `appointment_id` tell more.',
    }),
  )
  type!: string;
  @Member(
    { ...TEXT, ...IF_OF_THE_TYPE },
    'Why the agent handed over or ended, for programs, such as `customer_requested` or `resolved`; absent in other actions.',
  )
  reason?: string;
  @Member(
    { ...TEXT_OR_NULL, ...IF_OF_THE_TYPE },
    'What the human should know who takes over, for people; null where the agent said nothing, absent where it did not hand over.',
  )
  summary?: string | null;
  @Member(
    { ...one(...APPOINTMENT_OPERATIONS), ...IF_OF_THE_TYPE },
    withMeanings('What was done with the appointment; absent in other actions.', OPERATION),
  )
  operation?: string;
  @Member({ ...idOf('appointment'), ...IF_OF_THE_TYPE }, 'The appointment that was changed; absent in other actions.')
  appointment_id?: string;
  @Member(TIME, 'When the agent did it.') created_at!: string;
}

@ApiSchema({ description: 'Who wrote a message.' })
class AuthorResource {
  @Member(
    one('user', 'agent', 'human'),
    withMeanings('Who wrote the message.', {
      user: 'the person, through the client.',
      agent: 'the agent.',
      human: "a human in the agent's place, while the conversation is handed off.",
    }),
  )
  type!: string;
  @Member({ ...TEXT, required: false }, 'The name of the human; absent for others.') name?: string;
}

@ApiSchema({ description: 'A message of a transcript: what the person wrote, or what the agent replied.' })
export class MessageResource {
  @Member(idOf('message'), 'Names the message.') id!: string;
  @KindMember('message') object!: 'message';
  @Member(one(...ROLES), withMeanings('Whose message it is.', ROLE)) role!: string;
  @Member(TEXT, 'The text as it was posted, or as it was replied: markdown, or plain text where `markdown` was false.')
  content!: string;
  @Member(TIME, 'When the message was stored.') created_at!: string;
  @Member(idOf('conversation'), 'The conversation that it belongs to.') conversation_id!: string;
  @Member(idOrNull('message'), 'The message that a reply answers; null for messages of the user.') in_reply_to!: string | null;
  @Member({ type: AuthorResource }, 'Who wrote it.') author!: AuthorResource;
  @Member(
    { type: [ActionResource] },
    'What the agent did with this reply; empty where it did nothing, and for messages of the user.',
  )
  actions!: ActionResource[];
  @Member({ type: 'array', items: {} }, 'Always empty: messages are text.') attachments!: unknown[];
}

@ApiSchema({ description: "The agent's reply to a message." })
export class ReplyResource {
  @Member(idOf('message'), 'Names the reply; the transcript shows it under this id.') id!: string;
  @KindMember('message') object!: 'message';
  @Member(one('assistant'), 'Always `assistant`: the agent said it.') role!: string;
  @Member(TEXT, 'What to show to the person: markdown, or plain text where the request said `"markdown": false`.')
  content!: string;
  @Member(TIME, 'When the reply was stored.') created_at!: string;
  @Member({ type: [ActionResource] }, 'What the agent did with this reply; empty where it only answered.')
  actions!: ActionResource[];
}

@ApiSchema({ description: "A message that was posted, with the agent's reply." })
export class SentMessageResource {
  @Member(idOf('message'), 'Names the stored message.') id!: string;
  @KindMember('message') object!: 'message';
  @Member(one('user'), 'Always `user`: it is the message that was posted.') role!: string;
  @Member(TEXT, 'The text as it was posted.') content!: string;
  @Member(TIME, 'When the message was stored.') created_at!: string;
  @Member(idOf('conversation'), 'The conversation that it belongs to, an existing or a new one.') conversation_id!: string;
  @Member(
    { type: () => ReplyResource, nullable: true },
    'What the agent replied, and what it did; null where `reply_status` says why.',
  )
  reply!: ReplyResource | null;
  @Member(
    { ...one('queued', 'pending', 'not_expected'), required: false },
    withMeanings('Why there is no reply; absent where there is one.', REPLY_STATUS),
  )
  reply_status?: string;
  @Member(
    { type: ConversationResource },
    'The conversation after the reply: its `status` says whether the next message will be taken.',
  )
  conversation!: ConversationResource;
}

/** `attachments` are always empty. */
export function toMessageResource(message: MessageView): MessageResource {
  const { id, role, author, content, createdAt, conversationId, inReplyTo } = message;
  return {
    id,
    object: 'message',
    role,
    content,
    created_at: toTime(createdAt),
    conversation_id: conversationId,
    in_reply_to: inReplyTo,
    author: { ...author },
    actions: message.actions.map(toAction),
    attachments: [],
  };
}

export function toSentMessageResource({ message, reply, replyStatus, conversation }: PostedMessage): SentMessageResource {
  return {
    ...toPostedMessage(message),
    reply: reply && toReply(reply),
    ...(reply ? {} : { reply_status: replyStatus }),
    conversation: toConversationResource(conversation),
  };
}

/** A message that was posted, without its reply. */
export function toPostedMessage({ id, role, content, createdAt, conversationId }: MessageView) {
  const object = 'message' as const;
  return { id, object, role, content, created_at: toTime(createdAt), conversation_id: conversationId };
}

export function toReply({ id, role, content, createdAt, actions }: MessageView): ReplyResource {
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
