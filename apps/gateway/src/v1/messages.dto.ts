import { PostMessage } from '@application/conversations/conversation.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { LONGEST_CONTENT, LONGEST_TEXT } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { FlagField, MetadataField, NestedField, TextField } from '../http/fields/fields.js';
import { CustomerDto } from './customers.dto.js';

const CONTENT = { max: LONGEST_CONTENT, required: true, description: 'What the user says.', example: 'Can I come Monday?' };
const MARKDOWN = { description: 'False for a reply in plain text; true when not given.' };

export class SendMessageDto {
  @TextField({ max: LONGEST_TEXT, required: true, description: "The client's own thread id.", example: 'zendesk-4711' })
  external_conversation_id!: string;

  @TextField(CONTENT)
  content!: string;

  @FlagField(MARKDOWN)
  markdown?: boolean | null;

  @NestedField(() => CustomerDto, { description: 'Applied only when the call creates the conversation.' })
  customer?: CustomerDto | null;

  @MetadataField({ description: 'Applied only when the call creates the conversation.' })
  metadata?: MetadataText | null;

  toCommand(context: RequestContext, windowMs: number): PostMessage {
    const { external_conversation_id: externalId, content, markdown, customer, metadata } = this;
    const creation = { customer: customer?.toInput() ?? null, metadata: metadata?.text ?? '{}' };
    return new PostMessage(context, { kind: 'thread', externalId, ...creation }, content, markdown === false, windowMs);
  }
}

export class PostMessageDto {
  @TextField(CONTENT)
  content!: string;

  @FlagField(MARKDOWN)
  markdown?: boolean | null;

  toCommand(context: RequestContext, conversationId: string, windowMs: number): PostMessage {
    const { content, markdown } = this;
    return new PostMessage(context, { kind: 'conversation', conversationId }, content, markdown === false, windowMs);
  }
}
