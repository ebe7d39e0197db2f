import { ApiSchema } from '@nestjs/swagger';
import type { RequestContext } from '@application/runtime/request-context';
import { AddSessionTurn, CloseSession, OpenSession } from '@application/sessions/session.commands';
import { ROLES, type Role } from '@domain/kernel/role';
import { SESSION_DIRECTIONS, SESSION_OUTCOMES, type SessionDirection, type SessionOutcome } from '@domain/session/session.events';
import { MAX_CONTENT_LENGTH, MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { IdField, MetadataField, NestedField, PHONE_PATTERN, PatternField, TextField } from '../http/fields/fields.js';
import { EnumField, InstantField, readInstant } from '../http/fields/value-fields.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { DIRECTION, OUTCOME, SPEAKER } from './meanings.js';
import { CustomerDto } from './customers.dto.js';

/** A party of a call: a phone number, a URI such as `sip:`, or a word for a withheld number. */
const END_OF_CALL = `${PHONE_PATTERN}|^[a-z][a-z0-9+.-]*:[!-~]+$|^([Aa]nonymous|[Pp]rivate|[Rr]estricted|[Uu]navailable|[Uu]nknown)$`;
const END_OF_CALL_OPTIONS = {
  max: MAX_TEXT_LENGTH,
  complaint:
    'must be a phone number in E.164 format, such as +4915112345678, an address such as sip:desk@example.com, or anonymous',
};

@ApiSchema({ description: 'A call that begins.' })
export class OpenSessionDto {
  @TextField({
    max: MAX_TEXT_LENGTH,
    description: "The telephony's own id of the call. While a call with it is open, opening it again answers that one.",
    example: 'CA9f',
  })
  external_id?: string | null;

  @EnumField(SESSION_DIRECTIONS, { required: true, description: withMeanings('Who called whom.', DIRECTION) })
  direction!: SessionDirection;

  @PatternField(END_OF_CALL, 'phone_invalid_format', {
    ...END_OF_CALL_OPTIONS,
    description:
      'Who calls: a number in E.164 format, an address such as `sip:desk@example.com`, or one of the words anonymous, private, restricted, unavailable, unknown.',
  })
  from?: string | null;

  @PatternField(END_OF_CALL, 'phone_invalid_format', {
    ...END_OF_CALL_OPTIONS,
    description: 'Who is called, in the same forms as `from`.',
  })
  to?: string | null;

  @NestedField(() => CustomerDto, {
    description: 'Whom the call is with. Nobody when not given: `from` is not taken for the customer.',
  })
  customer?: CustomerDto | null;

  @IdField('conversation', { description: 'The conversation that the call belongs to; none when not given.' })
  conversation_id?: string | null;

  @MetadataField({ description: '`{}` when not given.' })
  metadata?: MetadataText | null;

  toCommand(context: RequestContext): OpenSession {
    return new OpenSession(context, {
      externalId: this.external_id ?? null,
      direction: this.direction,
      from: this.from ?? null,
      to: this.to ?? null,
      customer: this.customer?.toInput() ?? null,
      conversationId: this.conversation_id ?? null,
      metadata: this.metadata?.text ?? '{}',
    });
  }
}

@ApiSchema({ description: 'How a call ended; every member may be left out.' })
export class CloseSessionDto {
  @EnumField(SESSION_OUTCOMES, { description: withMeanings('What came of the call; unknown when not given.', OUTCOME) })
  outcome?: SessionOutcome | null;

  @TextField({ max: MAX_TEXT_LENGTH, description: 'Why the call ended, in a word of the client.', example: 'customer_hangup' })
  end_reason?: string | null;

  @InstantField({
    description: 'When the call was over: ISO 8601 with an offset. Now when not given, and its beginning where that is later.',
  })
  ended_at?: string | null;

  @TextField({ max: MAX_CONTENT_LENGTH, description: 'What the call was about, for people.' })
  summary?: string | null;

  toCommand(context: RequestContext, sessionId: string): CloseSession {
    const { outcome = null, end_reason: endReason = null, summary = null } = this;
    return new CloseSession(context, sessionId, { outcome, endReason, endedAt: readInstant(this.ended_at) ?? null, summary });
  }
}

@ApiSchema({ description: 'Something that was said on a call.' })
export class SessionTurnDto {
  @EnumField(ROLES, { required: true, description: withMeanings('Who said it.', SPEAKER) })
  role!: Role;

  @TextField({ max: MAX_CONTENT_LENGTH, required: true, description: 'What was said, 1 to 8000 characters (code points).' })
  content!: string;

  @InstantField({ description: 'When it was said: ISO 8601 with an offset. Now when not given.' })
  at?: string | null;

  toCommand(context: RequestContext, sessionId: string): AddSessionTurn {
    return new AddSessionTurn(context, sessionId, this.role, this.content, readInstant(this.at) ?? null);
  }
}
