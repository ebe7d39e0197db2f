import { ApiSchema } from '@nestjs/swagger';
import { BOOKED_AS, BookAppointment, type BookedAs, type BookingInput } from '@application/appointments/appointment.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { MAX_LOCATION_LENGTH, MAX_MINUTES, MAX_NOTES_LENGTH } from '@domain/appointment/limits';
import { USUAL_LENGTH_MS } from '@domain/appointment/times';
import { MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import { MINUTE_MS } from '@ports/time-units';
import type { MetadataText } from '../http/body/metadata-text.js';
import { IdField, MetadataField, NestedField, TextField } from '../http/fields/fields.js';
import { LaterThan, ExclusiveWith, RequiredIf } from '../http/fields/rules.js';
import { EnumField, InstantField, IntegerField, readInstant, readZone, ZoneField } from '../http/fields/value-fields.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { CustomerDto } from './customers.dto.js';
import { CODE, MESSAGE, REASON, STARTS_AT } from './appointment-members.js';

const SERVICE =
  'What is booked, such as `dental_cleaning`. Two bookings of one customer with the same service, resource and start are one; case and white space around a service make no difference.';

@ApiSchema({ description: 'What went wrong.' })
class FailureDto {
  @TextField(CODE)
  code!: string;

  @TextField(MESSAGE)
  message!: string;
}

@ApiSchema({ description: 'An appointment to book.' })
export class BookAppointmentDto {
  @IdField('session', { description: 'The call on which it is booked; none when not given.' })
  session_id?: string | null;

  @NestedField(() => CustomerDto, {
    description:
      'Whom it is with, by phone or e-mail. Not together with `customer_id`; without both it is with the customer of the call, if there is one.',
  })
  customer?: CustomerDto | null;

  @IdField('customer', { description: 'Whom it is with, by id. Not together with `customer`.' })
  @ExclusiveWith('customer')
  customer_id?: string | null;

  @TextField({ max: MAX_TEXT_LENGTH, required: true, description: SERVICE, example: 'dental_cleaning' })
  service!: string;

  @TextField({ max: MAX_TEXT_LENGTH, description: 'Who or what it occupies; nothing when not given.', example: 'chair_2' })
  resource_id?: string | null;

  @InstantField(STARTS_AT)
  starts_at!: string;

  @InstantField({
    description: 'When it ends: ISO 8601 with an offset, later than `starts_at`. Not together with `duration_minutes`.',
  })
  @LaterThan('starts_at')
  ends_at?: string | null;

  @IntegerField(1, MAX_MINUTES, {
    description: 'How long it takes, in minutes. Not together with `ends_at`; 30 when neither is given.',
  })
  @ExclusiveWith('ends_at')
  duration_minutes?: number | null;

  @ZoneField({
    description:
      'The zone in which its times are told to people: an IANA name, kept in the spelling of the IANA database. UTC when not given. It changes no time.',
  })
  time_zone?: string | null;

  @EnumField(BOOKED_AS, {
    description: withMeanings('What it is booked as; `pending` when not given.', {
      pending: 'booked, to be confirmed.',
      confirmed: 'booked and confirmed at once.',
      failed: 'an attempt to book it failed, which is recorded; `failure` says why.',
    } satisfies Record<BookedAs, string>),
  })
  status?: BookedAs | null;

  @NestedField(() => FailureDto, { description: 'What went wrong: required with the status `failed`, ignored with another.' })
  @RequiredIf('status', 'failed')
  failure?: FailureDto | null;

  @TextField({
    max: MAX_TEXT_LENGTH,
    description: "The client's own id of the appointment; lists find it by it. It need not be unique.",
  })
  external_id?: string | null;

  @TextField({ max: MAX_LOCATION_LENGTH, description: 'Where it takes place.' })
  location?: string | null;

  @TextField({ max: MAX_NOTES_LENGTH, description: 'What is to be noted for it.' })
  notes?: string | null;

  @TextField(REASON)
  reason?: string | null;

  @MetadataField({ description: '`{}` when not given.' })
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
      timeZone: readZone(this.time_zone) ?? 'UTC',
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
