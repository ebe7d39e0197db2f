import type { RequestContext } from '@application/runtime/request-context';
import { AddSessionTurn, CloseSession, OpenSession } from '@application/sessions/session.commands';
import { ROLES, type Role } from '@domain/kernel/role';
import { SESSION_DIRECTIONS, SESSION_OUTCOMES, type SessionDirection, type SessionOutcome } from '@domain/session/session.events';
import { LONGEST_CONTENT, LONGEST_TEXT } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { IdField, MetadataField, NestedField, PHONE_PATTERN, PatternField, TextField } from '../http/fields/fields.js';
import { EnumField, InstantField, readInstant } from '../http/fields/value-fields.js';
import { CustomerDto } from './customers.dto.js';

/** A party of a call: a phone number, a URI such as `sip:`, or a word for a withheld number. */
const END_OF_CALL = `${PHONE_PATTERN}|^[a-z][a-z0-9+.-]*:[!-~]+$|^([Aa]nonymous|[Pp]rivate|[Rr]estricted|[Uu]navailable|[Uu]nknown)$`;
const END_OF_CALL_OPTIONS = {
  max: LONGEST_TEXT,
  complaint:
    'must be a phone number in E.164 format, such as +4915112345678, an address such as sip:desk@example.com, or anonymous',
};

export class OpenSessionDto {
  @TextField({ max: LONGEST_TEXT, description: "The telephony's own id of the call.", example: 'CA9f' })
  external_id?: string | null;

  @EnumField(SESSION_DIRECTIONS, { required: true })
  direction!: SessionDirection;

  @PatternField(END_OF_CALL, 'phone_invalid_format', {
    ...END_OF_CALL_OPTIONS,
    description: 'Who calls. E.164, or what telephony tells instead.',
  })
  from?: string | null;

  @PatternField(END_OF_CALL, 'phone_invalid_format', { ...END_OF_CALL_OPTIONS, description: 'Who is called, told alike.' })
  to?: string | null;

  @NestedField(() => CustomerDto, { description: 'Whom the call is with; nobody is guessed from `from`.' })
  customer?: CustomerDto | null;

  @IdField('conversation', { description: 'The conversation that the call belongs to.' })
  conversation_id?: string | null;

  @MetadataField()
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

export class CloseSessionDto {
  @EnumField(SESSION_OUTCOMES)
  outcome?: SessionOutcome | null;

  @TextField({ max: LONGEST_TEXT, example: 'customer_hangup' })
  end_reason?: string | null;

  @InstantField({ description: 'When the call was over; now when not given, and its beginning when that is later.' })
  ended_at?: string | null;

  @TextField({ max: LONGEST_CONTENT })
  summary?: string | null;

  toCommand(context: RequestContext, sessionId: string): CloseSession {
    const { outcome = null, end_reason: endReason = null, summary = null } = this;
    return new CloseSession(context, sessionId, { outcome, endReason, endedAt: readInstant(this.ended_at) ?? null, summary });
  }
}

export class SessionTurnDto {
  @EnumField(ROLES, { required: true })
  role!: Role;

  @TextField({ max: LONGEST_CONTENT, required: true })
  content!: string;

  @InstantField({ description: 'When it was said; now when not given.' })
  at?: string | null;

  toCommand(context: RequestContext, sessionId: string): AddSessionTurn {
    return new AddSessionTurn(context, sessionId, this.role, this.content, readInstant(this.at) ?? null);
  }
}
