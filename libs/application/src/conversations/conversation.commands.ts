import { Command, Query } from '@nestjs/cqrs';
import type { Conversation } from '@domain/conversation/conversation';
import type { WhenHandedOff } from '@domain/conversation/conversation.events';
import type { Role } from '@domain/kernel/role';
import type { CustomerInput } from '../customers/customer.commands.js';
import type { Page, PageRequest } from '../paging/page.js';
import type { RequestContext } from '../runtime/request-context.js';
import type { MessageView } from './state/message-view.js';

/** `not_expected`: a human has the conversation. */
export const REPLY_STATUSES = ['queued', 'pending', 'completed', 'failed', 'not_expected'] as const;
export type ReplyStatus = (typeof REPLY_STATUSES)[number];

export interface PostedMessage {
  readonly message: MessageView;
  /** Null unless the status is `completed`. */
  readonly reply: MessageView | null;
  readonly replyStatus: Exclude<ReplyStatus, 'failed'>;
  readonly conversation: Conversation;
  /** Stored before this execution: an earlier one under the same key may have returned it. */
  readonly answeredBefore: boolean;
  readonly isNew: boolean;
}

/** How a client waits for the reply. */
export interface PostOptions {
  /** The project's window: so long the reply is waited for, and the next message of the conversation is not taken up. */
  readonly windowMs: number;
  /**
   * `reply`: as long as the window, then it is `reply_timeout`. `stored`: until the message is stored. A number of milliseconds: after
   * them the message is acknowledged without its reply, and stored as queued if its turn has not come.
   */
  readonly wait: 'reply' | 'stored' | number;
  readonly whenHandedOff: WhenHandedOff;
}

export interface ConversationInput {
  readonly externalId: string | null;
  readonly customer: CustomerInput | null;
  readonly metadata: string;
  readonly timeZone: string | null;
}

export type MessageTarget =
  | { readonly kind: 'conversation'; readonly conversationId: string }
  /** The thread's live conversation; created from this when there is none. */
  | ({ readonly kind: 'thread'; readonly externalId: string } & Omit<ConversationInput, 'externalId'>);

/** Refuses with `external_id_taken`. */
export class OpenConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly input: ConversationInput,
  ) {
    super();
  }
}

/** Refuses with `conversation_handed_off`, `conversation_ended`, `conversation_busy`, `agent_unavailable` and `reply_timeout`. */
export class PostMessage extends Command<PostedMessage> {
  constructor(
    readonly context: RequestContext,
    readonly target: MessageTarget,
    readonly content: string,
    readonly plainText: boolean,
    readonly options: PostOptions,
  ) {
    super();
  }
}

/** Absent members stay as they are. */
export interface ConversationAmendment {
  readonly customer?: CustomerInput;
  readonly metadata?: string;
  /** IANA name; null for none. */
  readonly timeZone?: string | null;
}

/** Refuses with `customer_already_linked` and, once it has ended, with `conversation_ended`. */
export class AmendConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly conversationId: string,
    readonly amendment: ConversationAmendment,
  ) {
    super();
  }
}

export class EndConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly conversationId: string,
    readonly note: string | null,
  ) {
    super();
  }
}

/** Handing over again changes nothing. Refuses with `conversation_ended`. */
export class HandOffConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly conversationId: string,
    readonly reason: string | null,
    readonly summary: string | null,
  ) {
    super();
  }
}

/** Gives the conversation back to the agent, and changes nothing where the agent has it. Refuses with `conversation_ended`. */
export class ResumeConversation extends Command<Conversation> {
  constructor(
    readonly context: RequestContext,
    readonly conversationId: string,
    readonly note: string | null,
  ) {
    super();
  }
}

/** Refuses with `conversation_not_handed_off` and, once it has ended, with `conversation_ended`. */
export class PostAsHuman extends Command<MessageView> {
  constructor(
    readonly context: RequestContext,
    readonly conversationId: string,
    readonly content: string,
    readonly name: string,
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

/** Oldest first unless the page says `desc`. */
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
