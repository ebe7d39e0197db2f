import { ApiSchema } from '@nestjs/swagger';
import { APPOINTMENT_STATUSES } from '@domain/appointment/appointment';
import { ACTOR_TYPES, type ActorType } from '@domain/kernel/envelope';
import { idPattern } from '@domain/kernel/ids';
import { AppointmentResource, CancellationResource, FailureResource, RescheduleResource } from './appointment.resource.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { APPOINTMENT_STATUS } from './meanings.js';
import {
  COUNT,
  FLAG,
  idOf,
  idOrNull,
  KindMember,
  Member,
  one,
  oneOrNull,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
  VERSION,
} from '../http/docs/schemas.resource.js';

const ACTOR: Readonly<Record<ActorType, string>> = {
  agent: 'the agent of a call or a conversation.',
  client: 'the client, by a request of its own.',
  admin: 'an administrator.',
  system: 'the service itself, as in a test of an endpoint.',
};

const IF_CHANGED = { required: false } as const;

@ApiSchema({
  description: 'What the change replaced: the status in any case, and each of the other members only where it was changed.',
})
class PreviousAttributesResource {
  @Member(
    oneOrNull(...APPOINTMENT_STATUSES),
    withMeanings(
      'The status before, which may be the same as after; null where the change created the appointment.',
      APPOINTMENT_STATUS,
    ),
  )
  status!: string | null;
  @Member({ ...TIME, ...IF_CHANGED }, 'When it would have started; absent where that is unchanged.') starts_at?: string;
  @Member({ ...TIME, ...IF_CHANGED }, 'When it would have ended; absent where that is unchanged.') ends_at?: string;
  @Member(
    { type: () => RescheduleResource, nullable: true, ...IF_CHANGED },
    'What was known of earlier moves; null where there were none, absent where this change was no move.',
  )
  reschedule?: RescheduleResource | null;
  @Member(
    { type: () => CancellationResource, nullable: true, ...IF_CHANGED },
    'How it had been called off; null where it was not, absent where that is unchanged.',
  )
  cancellation?: CancellationResource | null;
  @Member(
    { type: () => FailureResource, nullable: true, ...IF_CHANGED },
    'Why it had failed; null where it had not, absent where that is unchanged.',
  )
  failure?: FailureResource | null;
  @Member(
    { ...TIME_OR_NULL, ...IF_CHANGED },
    'When it had last been confirmed; null where it was not, absent where that is unchanged.',
  )
  confirmed_at?: string | null;
}

const PREVIOUS = { type: PreviousAttributesResource } as const;

@ApiSchema({ description: 'What an event is about.' })
class EventDataResource {
  @Member({ type: () => AppointmentResource }, 'The whole appointment as it was right after the change.')
  object!: AppointmentResource;
  @Member(PREVIOUS, 'What the change replaced; `previous_attributes` of the event has the same.')
  previous_attributes!: PreviousAttributesResource;
}

@ApiSchema({ description: 'Who made a change.' })
export class ActorResource {
  @Member(one(...ACTOR_TYPES), withMeanings('What kind of party made the change.', ACTOR)) type!: string;
  @Member(
    { type: 'string', pattern: `${idPattern('session')}|${idPattern('adminSession')}`, nullable: true },
    'The call on which the change was made, or the session of the administrator who made it; null where there is neither.',
  )
  session_id!: string | null;
}

@ApiSchema({ description: 'How a change came about.' })
class ChangeResource {
  @Member(
    TEXT,
    'The `reason` of the request, or where it gave none `booked`, `confirmed`, `rescheduled`, `cancelled`, `failed` or `rebooked`; `rescheduling` for both events of a move with `cancel_and_recreate`.',
  )
  reason!: string;
  @Member({ type: ActorResource }, 'Who made the change.') actor!: ActorResource;
  @Member(
    idOrNull('correlation'),
    'The same in all events that one request caused, as those of a move with `cancel_and_recreate`; null in a test of an endpoint.',
  )
  correlation_id!: string | null;
  @Member(
    { ...VERSION, minimum: 0, nullable: true },
    'The `version` of the appointment before the change: 0 where the change created it. Null is kept for events that know none.',
  )
  previous_version!: number | null;
}

@ApiSchema({ description: 'The request that caused a change.' })
class RequestResource {
  @Member(TEXT_OR_NULL, 'The `Request-Id` of its answer; null where no request caused the change.') id!: string | null;
  @Member(TEXT_OR_NULL, 'The `Idempotency-Key` that the request carried; null where it carried none.')
  idempotency_key!: string | null;
}

@ApiSchema({ description: 'How many deliveries an event has, by where they stand. Replays count too.' })
class DeliverySummaryResource {
  @Member(COUNT, 'All deliveries; 0 where no enabled endpoint matched the event when it was emitted.') total!: number;
  @Member(COUNT, 'Those that a receiver answered with 2xx.') succeeded!: number;
  @Member(COUNT, 'Those that are not over: `pending`, `delivering` or `retrying`.') pending!: number;
  @Member(COUNT, 'Those that were given up. A delivery that was replayed with success still counts here.') failed!: number;
  @Member(COUNT, 'Those that are no longer to be sent, as their endpoint is gone or a replay took their place.')
  cancelled!: number;
}

class EventBodyResource {
  @Member(
    idOf('event'),
    'Names the event: the same in every delivery, attempt and replay, so that a receiver can tell repetitions.',
  )
  id!: string;
  @KindMember('event') object!: 'event';
  @Member(
    { ...TEXT, example: 'appointment.confirmed' },
    'What happened: `appointment.created`, `appointment.confirmed`, `appointment.rescheduled`, `appointment.cancelled` or `appointment.failed`. More may be added; ignore those you do not know.',
  )
  type!: string;
  @Member(one('v1'), 'Always `v1`: the version of the form of this body.') api_version!: 'v1';
  @Member(TIME, 'When the change happened.') created_at!: string;
  @Member(TIME, 'The same as `created_at`, for tools of Standard Webhooks.') timestamp!: string;
  @Member(
    { ...COUNT, format: 'int64' },
    'Grows from event to event of a project, with gaps: sort by it to have events in the order in which they happened. 0 in a test of an endpoint.',
  )
  sequence!: number;
  @Member({ type: EventDataResource }, 'The appointment, and what of it the change replaced.') data!: EventDataResource;
  @Member(PREVIOUS, 'What the change replaced; `data.previous_attributes` has the same.')
  previous_attributes!: PreviousAttributesResource;
  @Member({ type: ChangeResource }, 'Who made the change, and why.') change!: ChangeResource;
  @Member({ type: RequestResource }, 'The request that caused the change.') request!: RequestResource;
  @Member(
    { ...FLAG, required: false },
    'True where the whole was larger than 64 KiB: `notes`, `location` and `metadata` of the appointment are left out; get the appointment instead. Else absent.',
  )
  thin?: true;
}

@ApiSchema({ description: 'An event of the log: what webhooks tell, and how its deliveries went.' })
export class EventResource extends EventBodyResource {
  @Member({ type: DeliverySummaryResource }, 'How many deliveries the event has, by where they stand.')
  delivery_summary!: DeliverySummaryResource;
}

@ApiSchema({ description: 'The body of a webhook: the same bytes in every attempt and replay.' })
export class WebhookEventResource extends EventBodyResource {
  @Member(
    { ...FLAG, required: false },
    'True where it was made up by `POST /v1/webhook_endpoints/{id}/test`, and is not in the events log. Else absent.',
  )
  test?: true;
}
