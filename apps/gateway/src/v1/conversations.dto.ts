import { OpenConversation, EndConversation } from '@application/conversations/conversation.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { LONGEST_TEXT } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { MetadataField, NestedField, TextField } from '../http/fields/fields.js';
import { CustomerDto } from './customers.dto.js';

export class CreateConversationDto {
  @TextField({
    max: LONGEST_TEXT,
    description: "The client's own thread id; unique among live conversations.",
    example: 'zendesk-4711',
  })
  external_id?: string | null;

  @NestedField(() => CustomerDto, { description: 'Links the customer with this phone or e-mail, made when new.' })
  customer?: CustomerDto | null;

  @MetadataField()
  metadata?: MetadataText | null;

  toCommand(context: RequestContext): OpenConversation {
    const { external_id: externalId = null, customer, metadata } = this;
    return new OpenConversation(context, { externalId, customer: customer?.toInput() ?? null, metadata: metadata?.text ?? '{}' });
  }
}

export class EndConversationDto {
  @TextField({ max: LONGEST_TEXT, description: 'Why, for the record: kept with the end, shown in no resource.' })
  reason?: string | null;

  toCommand(context: RequestContext, conversationId: string): EndConversation {
    return new EndConversation(context, conversationId, this.reason ?? null);
  }
}
