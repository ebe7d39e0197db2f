import { ApiSchema } from '@nestjs/swagger';
import { PostMessage } from '@application/conversations/conversation.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { MAX_CONTENT_LENGTH, MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { FlagField, MetadataField, NestedField, TextField } from '../http/fields/fields.js';
import { isAbsent } from '../http/fields/rules.js';
import { readZone, ZoneField } from '../http/fields/value-fields.js';
import { ABOUT_ZONE, zoneWarnings } from './zone-warnings.js';
import { CustomerDto } from './customers.dto.js';

const CONTENT = {
  max: MAX_CONTENT_LENGTH,
  required: true,
  description: 'What the person says, 1 to 8000 characters (code points); stored as it is.',
  example: 'Can I come Monday?',
};
const MARKDOWN = { description: 'Whether the reply may be markdown; false asks for plain text. true when not given.' };

@ApiSchema({ description: 'A message to the thread that the client names by its own id.' })
export class SendMessageDto {
  @TextField({
    max: MAX_TEXT_LENGTH,
    required: true,
    description: "The client's own id of the thread. Without a conversation under it that has not ended, a new one is created.",
    example: 'zendesk-4711',
  })
  external_conversation_id!: string;

  @TextField(CONTENT)
  content!: string;

  @FlagField(MARKDOWN)
  markdown?: boolean | null;

  @NestedField(() => CustomerDto, {
    description: 'Whom the conversation is with. Always checked, applied only where this request creates the conversation.',
  })
  customer?: CustomerDto | null;

  @MetadataField({ description: 'Of the conversation; applied only where this request creates it.' })
  metadata?: MetadataText | null;

  @ZoneField({ description: `${ABOUT_ZONE} Applied only where this request creates the conversation.` })
  time_zone?: string | null;

  warnings(): readonly string[] {
    return zoneWarnings(this);
  }

  /** The members that have no effect if the conversation exists already. */
  get ofCreation(): readonly string[] {
    const { customer, metadata, time_zone } = this;
    return Object.entries({ customer, metadata, time_zone }).flatMap(([name, value]) => (isAbsent(value) ? [] : [name]));
  }

  toCommand(context: RequestContext, windowMs: number): PostMessage {
    const { external_conversation_id: externalId, content, markdown, customer, metadata, time_zone: zone } = this;
    const described = { customer: customer?.toInput() ?? null, metadata: metadata?.text ?? '{}' };
    const creation = { ...described, timeZone: readZone(zone) };
    return new PostMessage(context, { kind: 'thread', externalId, ...creation }, content, markdown === false, windowMs);
  }
}

@ApiSchema({ description: 'A message to a conversation.' })
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
