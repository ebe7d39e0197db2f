import { ApiHideProperty, ApiSchema } from '@nestjs/swagger';
import { PostMessage, type PostOptions } from '@application/conversations/conversation.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { WHEN_HANDED_OFF, type WhenHandedOff } from '@domain/conversation/conversation.events';
import { MAX_CONTENT_LENGTH, MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { FlagField, MetadataField, NestedField, TextField } from '../http/fields/fields.js';
import { Forbidden, isAbsent, rule, Together, withRules } from '../http/fields/rules.js';
import { EnumField, readZone, ZoneField } from '../http/fields/value-fields.js';
import { ABOUT_ZONE, zoneWarnings } from './zone-warnings.js';
import { CustomerDto } from './customers.dto.js';

const MAX_NAME_LENGTH = 100;

const CONTENT = {
  max: MAX_CONTENT_LENGTH,
  required: true,
  description: 'What the person says, 1 to 8000 characters (code points); stored as it is.',
  example: 'Can I come Monday?',
};
const WHEN_HANDED_OFF_FIELD = {
  description: withMeanings('What becomes of the message while a human has the conversation; `refuse` when not given.', {
    refuse: 'it is refused with `conversation_handed_off`.',
    store: 'it is kept for the human and gets no reply.',
  }),
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

  @EnumField(WHEN_HANDED_OFF, WHEN_HANDED_OFF_FIELD)
  when_handed_off?: WhenHandedOff | null;

  @ApiHideProperty()
  @Forbidden('is only for messages by the id of the conversation')
  role?: null;

  @ApiHideProperty()
  @Forbidden('is only for messages by the id of the conversation')
  author?: null;

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

  /** Members that have no effect if the conversation already exists. */
  get ofCreation(): readonly string[] {
    const { customer, metadata, time_zone } = this;
    return Object.entries({ customer, metadata, time_zone }).flatMap(([name, value]) => (isAbsent(value) ? [] : [name]));
  }

  toCommand(context: RequestContext, options: Omit<PostOptions, 'whenHandedOff'>): PostMessage {
    const { external_conversation_id: externalId, content, markdown, customer, metadata, time_zone: zone } = this;
    const whenHandedOff = this.when_handed_off ?? 'refuse';
    const described = { customer: customer?.toInput() ?? null, metadata: metadata?.text ?? '{}' };
    const creation = { ...described, timeZone: readZone(zone) };
    return new PostMessage(context, { kind: 'thread', externalId, ...creation }, content, markdown === false, {
      ...options,
      whenHandedOff,
    });
  }
}

/** Another author than a human with a name is invalid, not incomplete. */
const OfHuman = withRules([rule('parameter_invalid', (value) => !isAbsent(value) && value !== '', 'is required')]);

@ApiSchema({ description: 'The human who writes.' })
export class HumanAuthorDto {
  @EnumField(['human'], {
    required: true,
    description: withMeanings('What the author is.', { human: 'a person of the client.' }),
  })
  @OfHuman
  type!: 'human';

  @TextField({ max: MAX_NAME_LENGTH, required: true, description: 'Their name, shown with the message.', example: 'Kim' })
  @OfHuman
  name!: string;
}

@ApiSchema({ description: 'A message to a conversation: of the person, or of a human in the place of the agent.' })
export class PostMessageDto {
  @TextField(CONTENT)
  content!: string;

  @FlagField(MARKDOWN)
  markdown?: boolean | null;

  @EnumField(WHEN_HANDED_OFF, { ...WHEN_HANDED_OFF_FIELD, unless: 'author' })
  when_handed_off?: WhenHandedOff | null;

  @Together('author')
  @EnumField(['assistant'], {
    description:
      'Only of a human who writes in the place of the agent, together with `author`, while the conversation is handed off.',
  })
  role?: 'assistant' | null;

  @Together('role')
  @NestedField(() => HumanAuthorDto, { description: 'Who writes in the place of the agent; together with `role`.' })
  author?: HumanAuthorDto | null;

  /** The class of the project's rate limits that it counts for, where that is not `messages`. */
  get rateClass(): 'write' | undefined {
    return isAbsent(this.author) ? undefined : 'write';
  }

  /** The name of the human who writes; null for a message of the person. */
  get humanName(): string | null {
    return this.author?.name ?? null;
  }

  toCommand(context: RequestContext, conversationId: string, options: Omit<PostOptions, 'whenHandedOff'>): PostMessage {
    const { content, markdown } = this;
    return new PostMessage(context, { kind: 'conversation', conversationId }, content, markdown === false, {
      ...options,
      whenHandedOff: this.when_handed_off ?? 'refuse',
    });
  }
}
