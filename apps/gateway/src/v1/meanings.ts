import type { AppointmentStatus } from '@domain/appointment/appointment';
import type { RescheduleMode } from '@domain/appointment/appointment.commands';
import type { CancelledBy } from '@domain/appointment/appointment.events';
import type { EmittedType } from '@domain/appointment/emission';
import type { ConversationStatus } from '@domain/conversation/conversation';
import type { DeliveryStatus } from '@domain/delivery/delivery';
import type { DeliveryTrigger } from '@domain/delivery/delivery.events';
import type { NetworkErrorCode, ResponseClass } from '@domain/delivery/outcome';
import type { DisabledReason, EndpointStatus } from '@domain/endpoint/endpoint.events';
import { ISSUE_KIND_NAMES, ISSUE_KINDS, type IssueKind } from '@domain/issue/issue-kinds';
import type { IssueStatus } from '@domain/issue/issue';
import type { Role } from '@domain/kernel/role';
import type { TaskStatus } from '@domain/task/task.events';
import type { SessionDirection, SessionOutcome, SessionStatus } from '@domain/session/session.events';

type Meanings<Word extends string> = Readonly<Record<Word, string>>;

export const CONVERSATION_STATUS: Meanings<ConversationStatus> = {
  active: 'messages are taken, and the agent answers them.',
  ended: 'over for good; its `external_id` is free for another conversation.',
  handed_off:
    'a human has taken over: the agent answers no message until it is given back; messages are refused, or kept where the client asks for that.',
};

export const ROLE: Meanings<Role> = {
  user: 'what the client posted on behalf of the person.',
  assistant: 'what the agent said, or a human in its place; `author` tells which.',
};

export const SPEAKER: Meanings<Role> = { user: 'the person.', assistant: 'the voice agent.' };

export const SESSION_STATUS: Meanings<SessionStatus> = { open: 'the call goes on.', closed: 'the call is over.' };

export const ISSUE_KIND = Object.fromEntries(
  ISSUE_KIND_NAMES.map((kind) => [kind, `${ISSUE_KINDS[kind].opens}.`]),
) as Meanings<IssueKind>;

export const ISSUE_STATUS: Meanings<IssueStatus> = {
  open: 'its cause goes on, or was over less than a minute ago.',
  dismissed: 'somebody has seen it and wants to hear no more of it.',
  closed: 'its cause is over.',
};

export const TASK_STATUS: Meanings<TaskStatus> = {
  pending: 'waits for its turn.',
  running: 'is being done.',
  completed: 'all of it is done.',
  cancelled: 'stopped; what was done until then stays.',
  failed: 'given up; `error` says why.',
};

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

export const DISABLED_REASON: Meanings<DisabledReason> = {
  gone: 'its receiver answered 410, and `disable_on_gone` was true.',
};

export const ENDPOINT_STATUS: Meanings<EndpointStatus> = {
  enabled: 'matching events are sent to it.',
  paused: 'matching events wait for it until it is resumed; only tests are sent to it.',
  disabled: 'nothing is sent to it; what was waiting for it was cancelled.',
};

export const NETWORK_ERROR: Meanings<NetworkErrorCode> = {
  timeout: 'no status line came within the time limit.',
  dns_error: "the host's name has no address, or could not be looked up.",
  connection_refused: 'nothing listens at the address and port.',
  connection_reset: 'the connection was closed before a status line came.',
  tls_error: 'the certificate or the handshake was not accepted.',
  ssrf_blocked: 'webhooks are not, or no longer, sent to this address, port or scheme.',
  redirect: 'the answer was a redirect; it is not followed.',
  network_error: 'anything else, such as an answer that is not HTTP, or an attempt cut off by the end of our process.',
};

export const DELIVERY_STATUS: Meanings<DeliveryStatus> = {
  pending: 'waits for its first attempt.',
  delivering: 'an attempt is under way.',
  retrying: 'the latest attempt failed; the next is at `next_attempt_at`, or once a paused endpoint is resumed.',
  succeeded: 'the receiver answered 2xx.',
  failed: 'given up; `failure_reason` says why.',
  cancelled: 'no longer to be sent; `cancel_reason` says why.',
};

export const DELIVERY_TRIGGER: Meanings<DeliveryTrigger> = {
  event: 'the event itself.',
  replay: 'a replay of another delivery; `replay_of` names it.',
  bulk_replay: 'one of the replays of a task that makes many; `replay_of` names the delivery that it repeats, if there is one.',
  test: 'a test of the endpoint; its event is not in the events log.',
};

export const RESPONSE_CLASS: Meanings<ResponseClass> = {
  '2xx': 'a success.',
  '3xx': 'a redirect, which is not followed.',
  '4xx': 'an error of the request.',
  '5xx': 'an error of the receiver.',
  none: 'no answer came, or one with a status that is in no other class.',
};
