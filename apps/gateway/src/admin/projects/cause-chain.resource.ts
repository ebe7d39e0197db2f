import { ApiSchema } from '@nestjs/swagger';
import { toTime } from '@application/read-models/time.resource';
import type { CauseChain } from '@application/webhooks/causes/cause.queries';
import { ACTOR_TYPES, type ActorType, type EnvelopeActor } from '@domain/kernel/envelope';
import { idPattern } from '@domain/kernel/ids';
import type { Recorded } from '@ports/event-store.port';
import { idOrNull, KindMember, Member, one, TEXT, TEXT_OR_NULL, TIME } from '../../http/docs/schemas.resource.js';
import { withMeanings } from '../../http/docs/with-meanings.js';

const ACTOR: Readonly<Record<ActorType, string>> = {
  agent: 'the agent of a call or a conversation.',
  client: 'a client, with an API key.',
  admin: 'an administrator.',
  system: 'the service itself.',
};

@ApiSchema({ description: 'Who caused a stored event.' })
class EnvelopeActorResource {
  @Member(one(...ACTOR_TYPES), withMeanings('What kind of party it was.', ACTOR)) type!: string;
  @Member(TEXT_OR_NULL, 'The id of the API key or of the call; null where there is neither.') id!: string | null;
  @Member(idOrNull('adminSession'), 'The session of the administrator; null where it was none.') session_id!: string | null;
}

@ApiSchema({ description: 'A stored event with its envelope, without its data.' })
class StoredEventResource {
  @Member({ ...TEXT, example: 'appointment-apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0' }, 'The stream that it is in: `<category>-<id>`.')
  stream!: string;
  @Member({ type: 'integer', minimum: 0 }, 'Its number in the stream, from 0.') revision!: number;
  @Member({ ...TEXT, pattern: String.raw`^\d{20}$` }, 'Its place in the whole log: 20 digits, to be compared as text.')
  position!: string;
  @Member({ ...TEXT, example: 'AppointmentBooked' }, 'What happened, by the name under which it is stored.') type!: string;
  @Member(TIME, 'When it happened.') at!: string;
  @Member(TEXT_OR_NULL, 'Shared by everything that one request, message, task or timer caused; null where none is stored.')
  correlation_id!: string | null;
  @Member(
    TEXT_OR_NULL,
    'What caused it: `<stream>@<revision>`, `req_…`, `task_…` or `timer:<name>`. Null where it is the previous event of the stream with the same `correlation_id`, or none is stored.',
  )
  causation_id!: string | null;
  @Member(
    { type: () => EnvelopeActorResource, nullable: true },
    'Who caused it; null where another event did, or none is stored.',
  )
  actor!: EnvelopeActorResource | null;
  @Member(idOrNull('request'), 'The `Request-Id` of the request that caused it itself; null where none did.')
  request_id!: string | null;
  @Member(TEXT_OR_NULL, 'The span in which it was caused (W3C Trace Context); null where it was not traced.')
  traceparent!: string | null;
}

@ApiSchema({ description: 'What led to an event or a delivery, back to a request, a task or a timer.' })
export class CauseChainResource {
  @KindMember('cause_chain') object!: 'cause_chain';
  @Member(
    { ...TEXT, pattern: `${idPattern('event')}|${idPattern('delivery')}` },
    'The event or the delivery whose causes these are.',
  )
  id!: string;
  @Member(
    { type: [StoredEventResource] },
    'What was stored, at most 20 events: first the change that emitted the event, or the scheduling of the delivery, then what caused that, and so on.',
  )
  events!: readonly StoredEventResource[];
  @Member(
    TEXT_OR_NULL,
    'What the last of `events` was caused by: `req_…`, `task_…` or `timer:<name>`. Null where that is gone, was not stored by an earlier version, or is further back.',
  )
  beginning!: string | null;
}

export function toCauseChainResource(id: string, { events, beginning }: CauseChain): CauseChainResource {
  return { object: 'cause_chain', id, events: events.map(toStoredEvent), beginning };
}

function toStoredEvent({ stream, revision, position, event: { type, at }, metadata }: Recorded): StoredEventResource {
  return {
    stream,
    revision,
    position,
    type,
    at: toTime(at),
    correlation_id: metadata?.$correlationId ?? null,
    causation_id: metadata?.$causationId ?? null,
    actor: metadata?.actor ? toActor(metadata.actor) : null,
    request_id: metadata?.requestId ?? null,
    traceparent: metadata?.traceparent ?? null,
  };
}

function toActor({ type, id, sessionId }: EnvelopeActor): EnvelopeActorResource {
  return { type, id: id ?? null, session_id: sessionId ?? null };
}
