import { ApiSchema } from '@nestjs/swagger';
import { ChangeAppointment } from '@application/appointments/appointment.commands';
import type { Caller } from '@application/projects/caller';
import type { RequestContext } from '@application/runtime/request-context';
import { RESCHEDULE_MODES, type RescheduleMode } from '@domain/appointment/appointment.commands';
import { CANCELLERS, type CancelledBy } from '@domain/appointment/appointment.events';
import { MAX_LOCATION_LENGTH, MAX_NOTES_LENGTH } from '@domain/appointment/limits';
import type { MetadataText } from '../http/body/metadata-text.js';
import { FlagField, MetadataField, TextField } from '../http/fields/fields.js';
import { LaterThan } from '../http/fields/rules.js';
import { EnumField, InstantField, IntegerField, readInstant } from '../http/fields/value-fields.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { CANCELLED_BY, RESCHEDULE_MODE } from './meanings.js';
import { CODE, ENDS_AT, MESSAGE, REASON, STARTS_AT } from './appointment-members.js';

const CLEARED_BY_NULL = 'Null removes it.';

class ChangeDto {
  @IntegerField(1, Number.MAX_SAFE_INTEGER, {
    description:
      'The `version` that the appointment must have: with another one the request is refused with 412 `version_conflict`, as with `If-Match`. Not checked when not given.',
  })
  expected_version?: number | null;
}

@ApiSchema({ description: 'How it is confirmed; every member may be left out.' })
export class ConfirmAppointmentDto extends ChangeDto {
  @TextField(REASON)
  reason?: string | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    return new ChangeAppointment(context, id, { type: 'ConfirmAppointment', expectedVersion }, this.reason ?? null);
  }
}

@ApiSchema({ description: 'When it is moved to.' })
export class RescheduleAppointmentDto extends ChangeDto {
  @InstantField(STARTS_AT)
  starts_at!: string;

  @InstantField(ENDS_AT)
  @LaterThan('starts_at')
  ends_at?: string | null;

  @TextField(REASON)
  reason?: string | null;

  @EnumField(RESCHEDULE_MODES, {
    description: withMeanings('How the move is recorded; `in_place` when not given.', RESCHEDULE_MODE),
  })
  mode?: RescheduleMode | null;

  @FlagField({
    description: 'Whether the new time is confirmed at once, with an `appointment.confirmed` of its own; false when not given.',
  })
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

@ApiSchema({ description: 'How it is called off; every member may be left out.' })
export class CancelAppointmentDto extends ChangeDto {
  @TextField(REASON)
  reason?: string | null;

  @EnumField(CANCELLERS, {
    description: withMeanings(
      'Who calls it off. When not given: the `customer` while the call goes on that the appointment was booked on, and with a key that has the scope `agent` alone, as a voice agent does; else the `business`.',
      CANCELLED_BY,
    ),
  })
  cancelled_by?: CancelledBy | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null, { scopes }: Caller): ChangeAppointment {
    const { reason = null } = this;
    const isVoiceAgent = scopes.every((scope) => scope === 'agent');
    const cancelledBy = this.cancelled_by ?? (isVoiceAgent ? 'customer' : null);
    const change = { type: 'CancelAppointment', expectedVersion, reason, cancelledBy } as const;
    return new ChangeAppointment(context, id, change, reason);
  }
}

@ApiSchema({ description: 'Why it failed.' })
export class FailAppointmentDto extends ChangeDto {
  @TextField(CODE)
  code!: string;

  @TextField(MESSAGE)
  message!: string;

  @TextField(REASON)
  reason?: string | null;

  toCommand(context: RequestContext, id: string, expectedVersion: number | null): ChangeAppointment {
    const { code, message } = this;
    return new ChangeAppointment(context, id, { type: 'FailAppointment', expectedVersion, code, message }, this.reason ?? null);
  }
}

@ApiSchema({ description: 'When it is booked for again.' })
export class RebookAppointmentDto extends ChangeDto {
  @InstantField(STARTS_AT)
  starts_at!: string;

  @InstantField(ENDS_AT)
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

@ApiSchema({ description: 'The members to change. Those that are left out stay as they are.' })
export class AmendAppointmentDto extends ChangeDto {
  @TextField({ max: MAX_NOTES_LENGTH, description: `What is to be noted for it. ${CLEARED_BY_NULL}` })
  notes?: string | null;

  @TextField({ max: MAX_LOCATION_LENGTH, description: `Where it takes place. ${CLEARED_BY_NULL}` })
  location?: string | null;

  @MetadataField({ description: 'Replaces all of it; null leaves it as it is.' })
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
