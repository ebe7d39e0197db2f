import { ApiSchema } from '@nestjs/swagger';
import { APPOINTMENT_STATUSES } from '@domain/appointment/appointment';
import { APPOINTMENT_SOURCES, CANCELLERS, type AppointmentSource } from '@domain/appointment/appointment.events';
import type { JsonText } from '@domain/kernel/json-text';
import { toAppointmentResource } from '@application/appointments/appointment.resource';
import { withMeanings } from '../http/docs/with-meanings.js';
import { APPOINTMENT_STATUS, CANCELLED_BY } from './meanings.js';
import {
  ABOUT_METADATA,
  COUNT,
  FLAG,
  idOf,
  idOrNull,
  KindMember,
  Member,
  METADATA,
  one,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
  VERSION,
} from '../http/docs/schemas.resource.js';

const SOURCE: Readonly<Record<AppointmentSource, string>> = {
  voice_agent: 'on a call: the booking named a session.',
  conversation: 'by the agent of a conversation.',
  api: 'by a client, without a call.',
};

@ApiSchema({ description: 'What is known of the moves of an appointment.' })
export class RescheduleResource {
  @Member({ ...COUNT, minimum: 1 }, 'How often the appointment was moved.') count!: number;
  @Member(TIME, 'When it would have started before the latest move.') previous_starts_at!: string;
  @Member(TIME, 'When it would have ended before the latest move.') previous_ends_at!: string;
  @Member(TIME, 'When the latest move was made.') at!: string;
}

@ApiSchema({ description: 'How an appointment was called off.' })
export class CancellationResource {
  @Member(TEXT_OR_NULL, 'The `reason` of the request; null where it gave none.') reason!: string | null;
  @Member(one(...CANCELLERS), withMeanings('Who called it off.', CANCELLED_BY)) cancelled_by!: string;
  @Member(TIME, 'When it was called off.') at!: string;
}

@ApiSchema({ description: 'Why an appointment failed.' })
export class FailureResource {
  @Member(TEXT, 'For programs: the `code` of the request, such as `calendar_unavailable`.') code!: string;
  @Member(TEXT, 'For people: the `message` of the request.') message!: string;
  @Member(TIME, 'When the failure was recorded.') at!: string;
}

@ApiSchema({ description: 'An appointment of the ledger, the same in answers and in webhooks.' })
export class AppointmentResource {
  @Member(idOf('appointment'), 'Names the appointment, also after it was moved, cancelled or booked again.') id!: string;
  @KindMember('appointment') object!: string;
  @Member(one(...APPOINTMENT_STATUSES), withMeanings('Where the appointment stands.', APPOINTMENT_STATUS)) status!: string;
  @Member(
    VERSION,
    'Grows by one with every accepted change. Of two copies of an appointment the one with the higher version is newer.',
  )
  version!: number;
  @Member(idOrNull('customer'), 'Whom the appointment is with; null where nobody was named.') customer_id!: string | null;
  @Member(idOrNull('session'), 'The call on which it was booked; null where it was not booked on one.') session_id!:
    string | null;
  @Member(
    idOrNull('conversation'),
    'The conversation in which the agent booked it, or that its call belongs to; null where there is none.',
  )
  conversation_id!: string | null;
  @Member(TEXT_OR_NULL, "The client's own id of the appointment; null where none was given.") external_id!: string | null;
  @Member(TEXT, 'What is booked, such as `dental_cleaning`.') service!: string;
  @Member(TEXT_OR_NULL, 'Who or what the appointment occupies, such as `chair_2`; null where nothing was named.')
  resource_id!: string | null;
  @Member(TIME, 'When it starts.') starts_at!: string;
  @Member(TIME, 'When it ends.') ends_at!: string;
  @Member({ ...TEXT, example: 'Europe/Berlin' }, 'The zone in which its times are told to people, by its IANA name.')
  time_zone!: string;
  @Member(TEXT_OR_NULL, 'Where it takes place; null where that was not said.') location!: string | null;
  @Member(TEXT_OR_NULL, 'What was noted for it; null where nothing was.') notes!: string | null;
  @Member(
    { type: () => RescheduleResource, nullable: true },
    'The latest move and how many there were; null where it was never moved.',
  )
  reschedule!: RescheduleResource | null;
  @Member({ type: () => CancellationResource, nullable: true }, 'Who called it off and why; null while it is not cancelled.')
  cancellation!: CancellationResource | null;
  @Member({ type: () => FailureResource, nullable: true }, 'What went wrong; null while it has not failed.')
  failure!: FailureResource | null;
  @Member(one(...APPOINTMENT_SOURCES), withMeanings('How it was booked.', SOURCE)) source!: string;
  @Member(METADATA, ABOUT_METADATA) metadata!: JsonText;
  @Member(TIME, 'When it was first booked, or its failed booking recorded.') created_at!: string;
  @Member(
    TIME_OR_NULL,
    'When it was last confirmed; null before that, and after a move or a new booking until it is confirmed anew.',
  )
  confirmed_at!: string | null;
  @Member(TIME, 'When it last changed; its booking at first.') updated_at!: string;
  @Member(
    { ...FLAG, required: false },
    'In answers to a booking only: true where the same booking existed already and is shown instead of a new one.',
  )
  deduplicated?: boolean;
}

// Fails to compile when the documented and the rendered shape differ.
export const toPublished: (...of: Parameters<typeof toAppointmentResource>) => AppointmentResource = toAppointmentResource;
