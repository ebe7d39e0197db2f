import type { AppointmentStatus } from '@domain/appointment/appointment';
import type { RescheduleMode } from '@domain/appointment/appointment.commands';
import type { CancelledBy } from '@domain/appointment/appointment.events';
import type { EmittedType } from '@domain/appointment/emission';
import type { ConversationStatus } from '@domain/conversation/conversation';
import type { EndpointStatus } from '@domain/endpoint/endpoint.events';
import type { Role } from '@domain/kernel/role';
import type { SessionDirection, SessionOutcome, SessionStatus } from '@domain/session/session.events';

type Meanings<Word extends string> = Readonly<Record<Word, string>>;

/** What the words of the API mean, where answers, bodies and filters share them. */
export const CONVERSATION_STATUS: Meanings<ConversationStatus> = {
  active: 'messages are taken, and the agent answers them.',
  ended: 'over for good; its `external_id` is free for another conversation.',
  handed_off: 'a human has taken over; further messages are refused until it is ended.',
};

export const ROLE: Meanings<Role> = {
  user: 'what the client posted on behalf of the person.',
  assistant: 'what the agent said.',
};

export const SPEAKER: Meanings<Role> = { user: 'the person.', assistant: 'the voice agent.' };

export const SESSION_STATUS: Meanings<SessionStatus> = { open: 'the call goes on.', closed: 'the call is over.' };

export const DIRECTION: Meanings<SessionDirection> = { inbound: 'a person called.', outbound: 'a person was called.' };

export const OUTCOME: Meanings<SessionOutcome> = {
  appointment_booked: 'an appointment was booked.',
  appointment_changed: 'an appointment was confirmed or moved.',
  appointment_cancelled: 'an appointment was cancelled.',
  no_action: 'nothing was changed.',
  handed_off: 'the caller was passed on to a human.',
  failed: 'the call broke off, or did not reach what it was for.',
};

export const APPOINTMENT_STATUS: Meanings<AppointmentStatus> = {
  pending: 'booked, not confirmed.',
  confirmed: 'confirmed at its present time.',
  rescheduled: 'moved to another time, not confirmed since.',
  cancelled: 'called off; it can be booked again under its id.',
  failed: 'could not be made or kept; it can be booked again under its id.',
};

export const CANCELLED_BY: Meanings<CancelledBy> = {
  customer: 'whom the appointment is with.',
  business: 'who would have given it.',
  agent: 'the agent, of its own accord.',
  system: 'a program, for example a clean-up.',
};

export const RESCHEDULE_MODE: Meanings<RescheduleMode> = {
  in_place: 'the status becomes `rescheduled`, and one `appointment.rescheduled` is emitted.',
  cancel_and_recreate:
    'the status becomes `pending`; `appointment.cancelled` and `appointment.created` are emitted, both under the same id of the appointment.',
};

export const EVENT_TYPE: Meanings<EmittedType> = {
  'appointment.created': 'it was booked, or booked again.',
  'appointment.confirmed': 'it was confirmed.',
  'appointment.rescheduled': 'it was moved.',
  'appointment.cancelled': 'it was called off.',
  'appointment.failed': 'it could not be made or kept.',
};

export const ENDPOINT_STATUS: Meanings<EndpointStatus> = {
  enabled: 'matching events are sent to it.',
  disabled: 'nothing is sent to it; what was waiting for it was cancelled.',
};
