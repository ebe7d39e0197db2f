import { ApiSchema } from '@nestjs/swagger';
import { toConversationResource as toRendered } from '@application/conversations/state/conversation.resource';
import { END_REASONS, HANDOFF_PARTIES, type EndReason } from '@domain/conversation/conversation.events';
import { CONVERSATION_STATUSES, type Conversation } from '@domain/conversation/conversation';
import type { JsonText } from '@domain/kernel/json-text';
import { withMeanings } from '../http/docs/with-meanings.js';
import { CONVERSATION_STATUS } from './meanings.js';
import {
  ABOUT_METADATA,
  idOf,
  idOrNull,
  KindMember,
  Member,
  METADATA,
  one,
  oneOrNull,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../http/docs/schemas.resource.js';

const END_REASON: Readonly<Record<EndReason, string>> = {
  explicit: 'the client ended it.',
  agent: 'the agent ended it with a reply.',
  idle: 'nothing was said for the idle time, 30 minutes unless the operator set another.',
};

@ApiSchema({ description: 'How a conversation was handed over to a human.' })
export class HandoffResource {
  @Member(
    one(...HANDOFF_PARTIES),
    withMeanings('Who handed it over.', { agent: 'the agent, with a reply.', client: 'the client, by `POST …/handoff`.' }),
  )
  by!: string;
  @Member(TEXT_OR_NULL, 'Why, for programs, such as `customer_requested`; null where nobody said.') reason!: string | null;
  @Member(TEXT_OR_NULL, 'What the human should know who takes over; null where nobody said.') summary!: string | null;
  @Member(TIME, 'When it was handed over.') at!: string;
}

@ApiSchema({ description: 'A conversation between one person and the agent.' })
export class ConversationResource {
  @Member(idOf('conversation'), 'Names the conversation in paths and in `conversation_id` of other resources.') id!: string;
  @KindMember('conversation') object!: 'conversation';
  @Member(one(...CONVERSATION_STATUSES), withMeanings('Where the conversation stands.', CONVERSATION_STATUS)) status!: string;
  @Member(
    TEXT_OR_NULL,
    "The client's own id of the thread; null where it gave none. Only one conversation that has not ended bears it.",
  )
  external_id!: string | null;
  @Member(idOrNull('customer'), 'Whom the agent talks with; null where no customer was named.') customer_id!: string | null;
  @Member(METADATA, ABOUT_METADATA) metadata!: JsonText;
  @Member(
    TEXT_OR_NULL,
    'The zone in which the agent reads times in words, an IANA name; null where the client gave none: then it is `metadata.time_zone` if that is one, else the zone of the project.',
  )
  time_zone!: string | null;
  @Member(TIME, 'When the conversation was created.') created_at!: string;
  @Member(TIME_OR_NULL, 'When its last message or reply was stored; null before the first.') last_message_at!: string | null;
  @Member(TIME_OR_NULL, 'When the conversation ended; null until then. After idling: when its idle time was over.')
  ended_at!: string | null;
  @Member(TIME_OR_NULL, 'When a human took over, also after it has ended; null where none did, and after it was given back.')
  handed_off_at!: string | null;
  @Member(
    { type: () => HandoffResource, nullable: true },
    'How it was handed over, also after it has ended; null where it was not, and after it was given back.',
  )
  handoff!: HandoffResource | null;
  @Member(oneOrNull(...END_REASONS), withMeanings('What ended the conversation; null until then.', END_REASON))
  end_reason!: string | null;
}

// Fails to compile when the documented and the rendered shape differ.
export const toConversationResource: (conversation: Conversation) => ConversationResource = toRendered;
