import { Command, Query } from '@nestjs/cqrs';
import type { Conversation } from '@domain/conversation/conversation';
import type { Role } from '@domain/kernel/role';
import type { CustomerInput } from '../customers/customer.commands.js';
import type { Page, PageRequest } from '../paging/page.js';
import type { RequestContext } from '../runtime/request-context.js';
import type { MessageView } from './state/message-view.js';

export interface PostedMessage {
  readonly message: MessageView;
  readonly reply: MessageView;
  /** After the call. */
  readonly conversation: Conversation;
  /** The reply was stored before this execution: an earlier one under the same key may have been answered with it. */
  readonly answeredBefore: boolean;
  /** The conversation was made of what this request said. */
  readonly isNew: boolean;
}

/** What a conversation is made of, at its creation. */
export interface ConversationInput {
  readonly externalId: string | null;
  readonly customer: CustomerInput | null;
  /** JSON text as sent. */
  readonly metadata: string;
  /** IANA name. */
  readonly timeZone: string | null;
}

export type MessageTarget =
  | { readonly kind: 'conversation'; readonly conversationId: string }
  /** The live conversation of the client's thread; made from this when there is none. */
  | ({ readonly kind: 'thread'; readonly externalId: string } & Omit<ConversationInput, 'externalId'>);

/** Creates a conversation. Refuses with `external_id_taken`. */
export class OpenConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly input: ConversationInput,
  ) {
    super();
  }
}

/** Posts a message and waits for the agent's reply, at most `windowMs`. */
export class PostMessage extends Command<PostedMessage> {
  constructor(
    readonly context: RequestContext,
    readonly target: MessageTarget,
    readonly content: string,
    readonly plainText: boolean,
    readonly windowMs: number,
  ) {
    super();
  }
}

/** What a client changes of a conversation: members that are absent stay as they are. */
export interface ConversationAmendment {
  readonly customer?: CustomerInput;
  /** JSON text as sent. */
  readonly metadata?: string;
  /** IANA name; null is none. */
  readonly timeZone?: string | null;
}

/** Changes a conversation. Refuses with `customer_already_linked` and, once it has ended, with `conversation_ended`. */
export class AmendConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly conversationId: string,
    readonly amendment: ConversationAmendment,
  ) {
    super();
  }
}

/** Ends a conversation; ending an ended one changes nothing. */
export class EndConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly conversationId: string,
    /** Why, in the client's words; kept with the end. */
    readonly note: string | null,
  ) {
    super();
  }
}

export class GetConversation extends Query<Conversation> {
  constructor(
    readonly projectId: string,
    readonly conversationId: string,
  ) {
    super();
  }
}

/** A page of a conversation's messages; oldest first unless the page says `desc`. */
export class GetTranscript extends Query<Page<MessageView>> {
  constructor(
    readonly projectId: string,
    readonly conversationId: string,
    readonly page: PageRequest,
    readonly role: Role | null,
  ) {
    super();
  }
}
