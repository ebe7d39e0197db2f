import {
  BOOKED_AS,
  BookAppointment,
  ChangeAppointment,
  type BookedAs,
  type BookingInput,
} from '@application/appointments/appointment.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { ianaSpelling, isIanaName } from '@application/appointments/time-zones';
import { RESCHEDULE_MODES, type RescheduleMode } from '@domain/appointment/appointment.commands';
import { CANCELLERS, type CancelledBy } from '@domain/appointment/appointment.events';
import { LONGEST_CODE, LONGEST_LOCATION, LONGEST_MESSAGE, LONGEST_MINUTES, LONGEST_NOTES } from '@domain/appointment/limits';
import { USUAL_LENGTH_MS } from '@domain/appointment/times';
import { LONGEST_TEXT } from '@domain/kernel/text-bounds';
import { MINUTE_MS } from '@ports/time-units';
import type { MetadataText } from '../http/body/metadata-text.js';
import { field, FlagField, IdField, MetadataField, NestedField, TextField } from '../http/fields/fields.js';
import { LaterThan, ExclusiveWith, RequiredIf, rule } from '../http/fields/rules.js';
import { EnumField, InstantField, IntegerField, readInstant } from '../http/fields/value-fields.js';
import { CustomerDto } from './customers.dto.js';

const REASON = { max: LONGEST_TEXT, description: 'Shown as `change.reason` of the event.' };
const STARTS_AT = { required: true, example: '2026-03-02T09:00:00Z' };

class FailureDto {
  @TextField({ max: LONGEST_CODE, required: true, example: 'calendar_unavailable' })
  code!: string;

  @TextField({ max: LONGEST_MESSAGE, required: true })
  message!: string;
}

export class BookAppointmentDto {
  @IdField('session', { description: 'The call on which it is booked.' })
  session_id?: string | null;

  @NestedField(() => CustomerDto, { description: 'Links or creates the customer. Not together with customer_id.' })
  customer?: CustomerDto | null;

  @IdField('customer')
  @ExclusiveWith('customer')
  customer_id?: string | null;

  @TextField({ max: LONGEST_TEXT, required: true, example: 'dental_cleaning' })
  service!: string;

  @TextField({ max: LONGEST_TEXT, example: 'chair_2' })
  resource_id?: string | null;

  @InstantField(STARTS_AT)
  starts_at!: string;

  @InstantField({ description: 'Not together with duration_minutes.' })
  @LaterThan('starts_at')
  ends_at?: string | null;

  @IntegerField(1, LONGEST_MINUTES, { description: '30 when neither this nor ends_at is given.' })
  @ExclusiveWith('ends_at')
  duration_minutes?: number | null;

  @ZoneField()
  time_zone?: string | null;

  @EnumField(BOOKED_AS, {
    description: 'pending when not given; failed records an attempt that failed.',
  })
  status?: BookedAs | null;

  @NestedField(() => FailureDto, { description: 'What went wrong; with status failed only.' })
  @RequiredIf('status', 'failed')
  failure?: FailureDto | null;

  @TextField({ max: LONGEST_TEXT })
  external_id?: string | null;

  @TextField({ max: LONGEST_LOCATION })
  location?: string | null;

  @TextField({ max: LONGEST_NOTES })
  notes?: string | null;

  @TextField(REASON)
  reason?: string | null;

  @MetadataField()
  metadata?: MetadataText | null;

  toCommand(context: RequestContext): BookAppointment {
    const startsAt = readInstant(this.starts_at) ?? 0;
    const lengthMs = typeof this.duration_minutes === 'number' ? this.duration_minutes * MINUTE_MS : USUAL_LENGTH_MS;
    const endsAt = readInstant(this.ends_at) ?? startsAt + lengthMs;
    return new BookAppointment(context, {
      sessionId: this.session_id ?? null,
      customer: this.customer?.toInput() ?? null,
      customerId: this.customer_id ?? null,
      externalId: this.external_id ?? null,
      service: this.service,
      resourceId: this.resource_id ?? null,
      startsAt,
      endsAt,
      timeZone: ianaSpelling(this.time_zone ?? 'UTC'),
      location: this.location ?? null,
      notes: this.notes ?? null,
      metadata: this.metadata?.text ?? '{}',
      reason: this.reason ?? null,
      as: this.outcome(),
    });
  }

  private outcome(): BookingInput['as'] {
    const { status, failure } = this;
    if (status === 'failed' && failure) return { status, code: failure.code, message: failure.message };
    return { status: status === 'confirmed' ? status : 'pending' };
  }
}

class ChangeDto {
  @IntegerField(1, Number.MAX_SAFE_INTEGER, {
    description: 'Refuses with `version_conflict` when the appointment has another version; `If-Match` does too.',
  })
  expected_version?: number | null;
}

export class ConfirmAppointmentDto extends ChangeDto {
  @TextField(REASON)
  reason?: string | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    return new ChangeAppointment(context, id, { type: 'ConfirmAppointment', expectedVersion }, this.reason ?? null);
  }
}

export class RescheduleAppointmentDto extends ChangeDto {
  @InstantField(STARTS_AT)
  starts_at!: string;

  @InstantField({ description: 'The length stays when not given.' })
  @LaterThan('starts_at')
  ends_at?: string | null;

  @TextField(REASON)
  reason?: string | null;

  @EnumField(RESCHEDULE_MODES, { description: 'in_place when not given.' })
  mode?: RescheduleMode | null;

  @FlagField({ description: 'Confirms the new time too; false when not given.' })
  confirm?: boolean | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    const { mode, confirm } = this;
    const change = {
      type: 'RescheduleAppointment',
      expectedVersion,
      ...newTime(this),
      mode: mode ?? 'in_place',
      confirm: confirm ?? false,
    } as const;
    return new ChangeAppointment(context, id, change, this.reason ?? null);
  }
}

export class CancelAppointmentDto extends ChangeDto {
  @TextField(REASON)
  reason?: string | null;

  @EnumField(CANCELLERS, { description: 'customer when not given.' })
  cancelled_by?: CancelledBy | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    const { reason = null, cancelled_by: cancelledBy } = this;
    const change = { type: 'CancelAppointment', expectedVersion, reason, cancelledBy: cancelledBy ?? 'customer' } as const;
    return new ChangeAppointment(context, id, change, reason);
  }
}

export class FailAppointmentDto extends ChangeDto {
  @TextField({ max: LONGEST_CODE, required: true, example: 'calendar_unavailable' })
  code!: string;

  @TextField({ max: LONGEST_MESSAGE, required: true })
  message!: string;

  @TextField(REASON)
  reason?: string | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    const { code, message } = this;
    return new ChangeAppointment(context, id, { type: 'FailAppointment', expectedVersion, code, message }, this.reason ?? null);
  }
}

export class RebookAppointmentDto extends ChangeDto {
  @InstantField(STARTS_AT)
  starts_at!: string;

  @InstantField({ description: 'The length stays when not given.' })
  @LaterThan('starts_at')
  ends_at?: string | null;

  @TextField(REASON)
  reason?: string | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    return new ChangeAppointment(
      context,
      id,
      { type: 'RebookAppointment', expectedVersion, ...newTime(this) },
      this.reason ?? null,
    );
  }
}

export class AmendAppointmentDto extends ChangeDto {
  @TextField({ max: LONGEST_NOTES })
  notes?: string | null;

  @TextField({ max: LONGEST_LOCATION })
  location?: string | null;

  @MetadataField()
  metadata?: MetadataText | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    const { notes, location, metadata } = this;
    const changes = {
      ...(notes === undefined ? {} : { notes }),
      ...(location === undefined ? {} : { location }),
      ...(metadata ? { metadata: metadata.text } : {}),
    };
    return new ChangeAppointment(context, id, { type: 'AmendAppointment', expectedVersion, changes });
  }
}

function newTime({ starts_at, ends_at }: { starts_at: string; ends_at?: string | null }) {
  return { startsAt: readInstant(starts_at) ?? 0, endsAt: readInstant(ends_at) ?? null };
}

function ZoneField(): PropertyDecorator {
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isKnown = (value: unknown) => isText(value) && isIanaName(value);
  const schema = {
    type: 'string',
    format: 'time-zone',
    description: 'IANA name, kept in the spelling of the IANA database; UTC when not given.',
    example: 'Europe/Berlin',
  } as const;
  return field(schema, false, [
    rule('parameter_invalid', isText, 'must be a text'),
    rule('time_range_invalid', isKnown, 'must be an IANA time zone'),
  ]);
}
