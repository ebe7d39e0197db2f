import { ApiSchema } from '@nestjs/swagger';
import { toMemberChanges, type MemberChange } from '@application/appointments/appointment.resource';
import { toTime } from '@application/read-models/time.resource';
import { CHANGE_ID_PATTERN } from '@domain/appointment/change-id';
import { CHANGE_TYPES, type ChangeType, type PastChange } from '@domain/appointment/past-change';
import { withMeanings } from '../http/docs/with-meanings.js';
import { idOrNull, KindMember, Member, one, TEXT, TIME, VERSION } from '../http/docs/schemas.resource.js';
import { ActorResource } from './event.resource.js';

const ID = { ...TEXT, pattern: CHANGE_ID_PATTERN, example: 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0.2' };
const BOTH = { type: 'array', minItems: 2, maxItems: 2, items: {} } as const;

const TYPE: Readonly<Record<ChangeType, string>> = {
  created: 'it was booked, or booked again under its id.',
  confirmed: 'it was confirmed.',
  rescheduled: 'it was moved.',
  cancelled: 'it was called off.',
  failed: 'it failed, or an attempt to book it did.',
  amended: 'notes, location or metadata were changed, and nothing was emitted.',
};

@ApiSchema({ description: 'A change of an appointment: one accepted request, or one of the two that a request made at once.' })
export class AppointmentChangeResource {
  @Member(ID, 'Names the change: the id of the appointment, and the `version` that the change made.') id!: string;
  @KindMember('appointment_change') object!: 'appointment_change';
  @Member(VERSION, 'The `version` of the appointment from this change on, 1 for the first.') version!: number;
  @Member(one(...CHANGE_TYPES), withMeanings('What kind of change it was: that of its event, or `amended`.', TYPE)) type!: string;
  @Member(TIME, 'When the change happened: `as_of` this time shows what it led to.') at!: string;
  @Member({ type: () => ActorResource }, 'Who made the change, as `change.actor` of the event tells it.') actor!: ActorResource;
  @Member(
    TEXT,
    'The `reason` of the request, or a word for the kind of change, as `change.reason` of the event tells it; `amended` where there was no event.',
  )
  reason!: string;
  @Member(
    { type: 'object', additionalProperties: BOTH },
    'Each member of the appointment that the change set, as it was before and after; null where it had no value. The first change names every member that has a value, from null, and all changes in order lead to the appointment as it is shown.',
  )
  changes!: Readonly<Record<string, MemberChange>>;
  @Member(
    idOrNull('event'),
    'The event that the change emitted, also after the 30 days in which it can be retrieved; null where it emitted none, as a `PATCH` does.',
  )
  event_id!: string | null;
}

export function toAppointmentChange(change: PastChange): AppointmentChangeResource {
  const { id, type, at, actor, reason, eventId, after } = change;
  return {
    id,
    object: 'appointment_change',
    version: after.version,
    type,
    at: toTime(at),
    actor: { type: actor.type, session_id: actor.sessionId },
    reason,
    changes: toMemberChanges(change),
    event_id: eventId,
  };
}
