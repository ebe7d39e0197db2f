import type { ReplyAction } from '@domain/conversation/reply-action';
import type { Role } from '@domain/kernel/role';

type Author = { readonly type: 'user' | 'agent' } | { readonly type: 'human'; readonly name: string };

export interface MessageView {
  readonly id: string;
  readonly conversationId: string;
  readonly role: Role;
  readonly author: Author;
  readonly content: string;
  readonly createdAt: number;
  readonly inReplyTo: string | null;
  /** Empty for user messages. */
  readonly actions: readonly ReplyAction[];
}
