import type { Origin } from '@application/origin';
import { AddSessionTurn, CloseSession, OpenSession } from '@application/sessions/session.commands';
import { ROLES, type Role } from '@domain/kernel/role';
import { SESSION_DIRECTIONS, SESSION_OUTCOMES, type SessionDirection, type SessionOutcome } from '@domain/session/session.events';
import { LONGEST_CONTENT, LONGEST_TEXT } from '@domain/kernel/text-bounds';
import { IdField, MetadataField, NestedField, PhoneField, TextField } from '../http/fields.js';
import type { MetadataText } from '../http/metadata-text.js';
import { ChoiceField, InstantField, readInstant } from '../http/value-fields.js';
import { CustomerDto } from './customers.dto.js';

export class OpenSessionDto {
  @TextField({ max: LONGEST_TEXT, description: "The telephony's own id of the call.", example: 'CA9f' })
  external_id?: string | null;

  @ChoiceField(SESSION_DIRECTIONS, { required: true })
  direction!: SessionDirection;

  @PhoneField({ description: 'Who calls. E.164.' })
  from?: string | null;

  @PhoneField({ description: 'Who is called. E.164.' })
  to?: string | null;

  @NestedField(() => CustomerDto, { description: 'Whom the call is with; nobody is guessed from `from`.' })
  customer?: CustomerDto | null;

  @IdField('conversation', { description: 'The conversation that the call belongs to.' })
  conversation_id?: string | null;

  @MetadataField()
  metadata?: MetadataText;

  toCommand(origin: Origin): OpenSession {
    return new OpenSession(origin, {
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
  @ChoiceField(SESSION_OUTCOMES)
  outcome?: SessionOutcome | null;

  @TextField({ max: LONGEST_TEXT, example: 'customer_hangup' })
  end_reason?: string | null;

  @InstantField({ description: 'When the call was over; now when not given, and its beginning when that is later.' })
  ended_at?: string | null;

  @TextField({ max: LONGEST_CONTENT })
  summary?: string | null;

  toCommand(origin: Origin, sessionId: string): CloseSession {
    const { outcome = null, end_reason: endReason = null, summary = null } = this;
    return new CloseSession(origin, sessionId, { outcome, endReason, endedAt: readInstant(this.ended_at) ?? null, summary });
  }
}

export class SessionTurnDto {
  @ChoiceField(ROLES, { required: true })
  role!: Role;

  @TextField({ max: LONGEST_CONTENT, required: true })
  content!: string;

  @InstantField({ description: 'When it was said; now when not given.' })
  at?: string | null;

  toCommand(origin: Origin, sessionId: string): AddSessionTurn {
    return new AddSessionTurn(origin, sessionId, this.role, this.content, readInstant(this.at) ?? null);
  }
}
