import type { ReplyAction } from '@domain/conversation/reply-action';
import type { Role } from '@domain/kernel/role';

/** One message of a transcript. */
export interface MessageView {
  readonly id: string;
  readonly conversationId: string;
  readonly role: Role;
  readonly content: string;
  readonly createdAt: number;
  readonly inReplyTo: string | null;
  /** Empty for user messages. */
  readonly actions: readonly ReplyAction[];
}
