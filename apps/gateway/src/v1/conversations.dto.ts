import { ApiSchema } from '@nestjs/swagger';
import {
  AmendConversation,
  EndConversation,
  HandOffConversation,
  OpenConversation,
  ResumeConversation,
} from '@application/conversations/conversation.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { MAX_NOTE_LENGTH, MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { MetadataField, NestedField, TextField } from '../http/fields/fields.js';
import { readZone, ZoneField } from '../http/fields/value-fields.js';
import { ABOUT_ZONE, zoneWarnings } from './zone-warnings.js';
import { CustomerDto } from './customers.dto.js';

@ApiSchema({ description: 'A conversation to create; without members it has neither thread id nor customer.' })
export class CreateConversationDto {
  @TextField({
    max: MAX_TEXT_LENGTH,
    description:
      "The client's own id of the thread; only one conversation that has not ended may bear it. Without it, the conversation is reached by its `id` only.",
    example: 'zendesk-4711',
  })
  external_id?: string | null;

  @NestedField(() => CustomerDto, { description: 'Whom the conversation is with. Nobody when not given.' })
  customer?: CustomerDto | null;

  @MetadataField({ description: 'The agent is told it. `{}` when not given.' })
  metadata?: MetadataText | null;

  @ZoneField({ description: ABOUT_ZONE })
  time_zone?: string | null;

  warnings(): readonly string[] {
    return zoneWarnings(this);
  }

  toCommand(context: RequestContext): OpenConversation {
    const { external_id: externalId = null, customer, metadata, time_zone: zone } = this;
    const input = { externalId, customer: customer?.toInput() ?? null, metadata: metadata?.text ?? '{}' };
    return new OpenConversation(context, { ...input, timeZone: readZone(zone) });
  }
}

@ApiSchema({ description: 'What is changed of a conversation. Members that are left out stay as they are.' })
export class UpdateConversationDto {
  @NestedField(() => CustomerDto, {
    description:
      'Whom the conversation is with: found or created, and linked for good. Refused where another customer is linked.',
  })
  customer?: CustomerDto | null;

  @MetadataField({ description: 'Replaces the metadata as a whole.' })
  metadata?: MetadataText | null;

  @ZoneField({ description: 'The zone of times in words from now on: an IANA name. null empties it.' })
  time_zone?: string | null;

  warnings(): readonly string[] {
    return zoneWarnings(this);
  }

  toCommand(context: RequestContext, conversationId: string): AmendConversation {
    const { customer, metadata, time_zone: zone } = this;
    return new AmendConversation(context, conversationId, {
      ...(customer && { customer: customer.toInput() }),
      ...(metadata && { metadata: metadata.text }),
      ...(zone !== undefined && { timeZone: readZone(zone) }),
    });
  }
}

@ApiSchema({ description: 'How a conversation is ended.' })
export class EndConversationDto {
  @TextField({ max: MAX_TEXT_LENGTH, description: 'Why, for the record: kept with the end, shown in no resource.' })
  reason?: string | null;

  toCommand(context: RequestContext, conversationId: string): EndConversation {
    return new EndConversation(context, conversationId, this.reason ?? null);
  }
}

@ApiSchema({ description: 'How a conversation is handed over to a human.' })
export class HandOffConversationDto {
  @TextField({
    max: MAX_TEXT_LENGTH,
    description: 'Why, for programs; shown as `handoff.reason`. null when not given.',
    example: 'refund_wanted',
  })
  reason?: string | null;

  @TextField({
    max: MAX_NOTE_LENGTH,
    description: 'What the human should know who takes over; shown as `handoff.summary`. null when not given.',
  })
  summary?: string | null;

  toCommand(context: RequestContext, conversationId: string): HandOffConversation {
    return new HandOffConversation(context, conversationId, this.reason ?? null, this.summary ?? null);
  }
}

@ApiSchema({ description: 'How a conversation is given back to the agent.' })
export class ResumeConversationDto {
  @TextField({
    max: MAX_NOTE_LENGTH,
    description: 'What the agent is told beside what was said meanwhile; shown in no resource. Nothing when not given.',
    example: 'He got his refund; no more needs to be done about it.',
  })
  note?: string | null;

  toCommand(context: RequestContext, conversationId: string): ResumeConversation {
    return new ResumeConversation(context, conversationId, this.note ?? null);
  }
}
