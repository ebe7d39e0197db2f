import { ApiSchema } from '@nestjs/swagger';
import type { DeliveryOfEvent, DeliveryOutline, DeliveryView } from '@application/webhooks/delivery-view';
import type { AttemptTimings } from '@domain/delivery/attempt-timings';
import { DELIVERY_STATUSES } from '@domain/delivery/delivery';
import { CANCEL_REASONS, DELIVERY_TRIGGERS, type AttemptResult, type CancelReason } from '@domain/delivery/delivery.events';
import { isSuccess, NETWORK_ERRORS, type NetworkErrorCode } from '@domain/delivery/outcome';
import { FAILURE_REASONS, type FailureReason } from '@domain/delivery/retry-policy';
import { MASKED_VALUE } from '@domain/endpoint/custom-headers';
import { toTime } from '@application/read-models/time.resource';
import { DELIVERY_STATUS, DELIVERY_TRIGGER, NETWORK_ERROR } from './meanings.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import {
  COUNT,
  COUNT_OR_NULL,
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
} from '../http/docs/schemas.resource.js';

const STATUS_OR_NULL = { type: 'integer', minimum: 100, maximum: 999, nullable: true } as const;
const DELIVERY_OR_NULL = idOrNull('delivery');

const OUTCOME: Readonly<Record<'succeeded' | 'http_error' | NetworkErrorCode, string>> = {
  succeeded: 'the receiver answered 2xx.',
  http_error: 'the receiver answered with another status.',
  ...NETWORK_ERROR,
};

const FAILURE_REASON: Readonly<Record<FailureReason, string>> = {
  attempts_exhausted: 'the last attempt of the schedule failed.',
  permanent_rejection: 'the receiver answered a 4xx other than 408 and 429, which is not tried again.',
};

const CANCEL_REASON: Readonly<Record<CancelReason, string>> = {
  endpoint_disabled: 'the endpoint was disabled.',
  endpoint_deleted: 'the endpoint was deleted.',
  superseded: 'a replay took its place; `superseded_by` names it.',
  cancelled_by_user: 'a request cancelled it.',
  event_expired: 'its event expired while it waited.',
};

@ApiSchema({
  description:
    'How long the steps of an attempt took, in whole milliseconds. A step is null where it was not needed, as on a connection that was kept from an earlier attempt, and where the attempt did not come to its end.',
})
class AttemptTimingsResource {
  @Member(COUNT_OR_NULL, "Looking up the host's name; null too where the URL has an IP address.") dns_ms!: number | null;
  @Member(COUNT_OR_NULL, 'Connecting, without the lookup and TLS; null where no new connection was made.') connect_ms!:
    number | null;
  @Member(COUNT_OR_NULL, 'The TLS handshake; null too for `http:`.') tls_ms!: number | null;
  @Member(COUNT_OR_NULL, 'From the sending of the request to the first byte of the answer; null where none came.')
  first_byte_ms!: number | null;
}

@ApiSchema({ description: 'One attempt of a delivery that is over.' })
export class AttemptResource {
  @Member(idOf('attempt'), 'Names the attempt.') id!: string;
  @Member(
    { type: 'integer', minimum: 1 },
    'Which attempt of the delivery it was: 1 for the first; `Service-Attempt` told the receiver.',
  )
  attempt!: number;
  @Member(TIME, 'When the attempt began.') started_at!: string;
  @Member(COUNT_OR_NULL, 'Milliseconds until it was over; null where the end of our process cut it off.')
  duration_ms!: number | null;
  @Member(one('succeeded', 'http_error', ...NETWORK_ERRORS), withMeanings('How the attempt ended.', OUTCOME)) outcome!: string;
  @Member(STATUS_OR_NULL, "The receiver's HTTP status; null where no status line came.") response_status!: number | null;
  @Member(
    { type: 'object', additionalProperties: { type: 'string' }, nullable: true },
    "The answer's headers by their names in lower case, up to 2 KiB; null where no answer came.",
  )
  response_headers!: Readonly<Record<string, string>> | null;
  @Member(FLAG, 'Whether the answer had more headers than are kept, longer ones, or some that could not be read.')
  response_headers_truncated!: boolean;
  @Member(
    TEXT_OR_NULL,
    "The beginning of the answer's body, as text: up to 16 KiB of the first attempt and of the last three, 1 KiB of the others, less where JSON escapes much of it; null where none is kept.",
  )
  response_body!: string | null;
  @Member(FLAG, 'Whether the answer had a longer body than is kept, or one that could not be read.')
  response_body_truncated!: boolean;
  @Member(
    oneOrNull(...NETWORK_ERRORS),
    withMeanings('Why there was no answer that counts; null where the status decided.', NETWORK_ERROR),
  )
  error_code!: string | null;
  @Member(TEXT_OR_NULL, 'The IP address that was posted to; null where no connection was made.') remote_ip!: string | null;
  @Member(
    { type: 'object', additionalProperties: { type: 'string' }, nullable: true },
    `The request's headers as they were sent, signatures included, up to 2 KiB; the values of the endpoint's own \`headers\` are shown as \`${MASKED_VALUE}\`. Null where no request was sent, where the end of our process cut the attempt off, and for attempts of earlier versions.`,
  )
  request_headers!: Readonly<Record<string, string>> | null;
  @Member(
    { type: () => AttemptTimingsResource, nullable: true },
    'How long its steps took; null where the end of our process cut the attempt off, and for attempts of earlier versions.',
  )
  timings!: AttemptTimingsResource | null;
}

@ApiSchema({ description: 'The sending of one event to one endpoint, without its attempts.' })
export class DeliveryOutlineResource {
  @Member(idOf('delivery'), 'Names the delivery; the receiver gets it as `Service-Delivery-Id`.') id!: string;
  @KindMember('webhook_delivery') object!: 'webhook_delivery';
  @Member(idOf('event'), 'The event that is sent; the receiver gets it as `webhook-id`.') event_id!: string;
  @Member(TEXT, 'The `type` of the event, such as `appointment.confirmed`.') event_type!: string;
  @Member(idOf('endpoint'), 'The endpoint that it is sent to.') webhook_endpoint_id!: string;
  @Member(TEXT, "Where the latest attempt was posted; before the first attempt the endpoint's address at that time.")
  url!: string;
  @Member(one(...DELIVERY_STATUSES), withMeanings('Where the delivery stands.', DELIVERY_STATUS)) status!: string;
  @Member(COUNT, 'How many attempts were begun, the one under way included.') attempt_count!: number;
  @Member({ ...COUNT, minimum: 1 }, 'How many attempts there are at most: the length of the schedule when the delivery was made.')
  max_attempts!: number;
  @Member(
    TIME_OR_NULL,
    'When the next attempt is due; null while one is under way, while its endpoint is paused, and once the delivery is over.',
  )
  next_attempt_at!: string | null;
  @Member(STATUS_OR_NULL, 'The HTTP status of the latest attempt that is over; null where it got no answer.')
  last_response_status!: number | null;
  @Member(
    oneOrNull(...NETWORK_ERRORS),
    withMeanings('The `error_code` of the latest attempt that is over; null where it has none.', NETWORK_ERROR),
  )
  last_error_code!: string | null;
  @Member(TIME_OR_NULL, 'When the latest attempt that is over began; null before one is over.') last_attempt_at!: string | null;
  @Member(oneOrNull(...FAILURE_REASONS), withMeanings('Why it was given up; null unless `failed`.', FAILURE_REASON))
  failure_reason!: string | null;
  @Member(oneOrNull(...CANCEL_REASONS), withMeanings('Why it is no longer sent; null unless `cancelled`.', CANCEL_REASON))
  cancel_reason!: string | null;
  @Member(one(...DELIVERY_TRIGGERS), withMeanings('What it was made for.', DELIVERY_TRIGGER)) trigger!: string;
  @Member(DELIVERY_OR_NULL, 'The delivery that this one repeats; null where it is no replay.') replay_of!: string | null;
  @Member(DELIVERY_OR_NULL, 'The replay that took its place while it was still waiting; null where none did.')
  superseded_by!: string | null;
  @Member(TIME, 'When the delivery was made.') created_at!: string;
  @Member(TIME_OR_NULL, 'When it succeeded, failed or was cancelled; null until then.') completed_at!: string | null;
}

@ApiSchema({ description: 'The sending of one event to one endpoint, over all its attempts.' })
export class DeliveryResource extends DeliveryOutlineResource {
  @Member({ type: [AttemptResource] }, 'Every attempt that is over, oldest first.') attempts!: readonly AttemptResource[];
}

@ApiSchema({ description: 'The event of a delivery.' })
class DeliveredEventResource {
  @Member(idOf('event'), 'Names the event; the receiver gets it as `webhook-id`.') id!: string;
  @Member(TEXT, 'The `type` of the event, such as `appointment.confirmed`.') type!: string;
  @Member(TIME, 'When it happened.') created_at!: string;
  @Member(idOf('appointment'), 'The appointment that it is about.') appointment_id!: string;
}

@ApiSchema({ description: 'The sending of one event to one endpoint, over all its attempts, and the event.' })
export class DeliveryOfEventResource extends DeliveryResource {
  @Member({ type: DeliveredEventResource }, 'The event that is sent.') event!: DeliveredEventResource;
}

export function toDeliveryOfEvent({ delivery, event }: DeliveryOfEvent): DeliveryOfEventResource {
  const { eventId: id, eventType: type, emittedAt, appointmentId: appointment_id } = event;
  return { ...toDeliveryResource(delivery), event: { id, type, created_at: toTime(emittedAt), appointment_id } };
}

export function toDeliveryResource(delivery: DeliveryView): DeliveryResource {
  return { ...toDeliveryOutline(delivery), attempts: delivery.attempts.map(toAttemptResource) };
}

export function toDeliveryOutline(delivery: DeliveryOutline): DeliveryOutlineResource {
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    webhook_endpoint_id: delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    max_attempts: delivery.maxAttempts,
    next_attempt_at: toTime(delivery.dueAt),
    last_response_status: delivery.lastResponseStatus,
    last_error_code: delivery.lastErrorCode,
    last_attempt_at: toTime(delivery.lastAttemptAt),
    failure_reason: delivery.failureReason,
    cancel_reason: delivery.cancelReason,
    trigger: delivery.trigger,
    replay_of: delivery.replayOf,
    superseded_by: delivery.supersededBy,
    created_at: toTime(delivery.createdAt),
    completed_at: toTime(delivery.completedAt),
  };
}

function toAttemptResource(result: AttemptResult): AttemptResource {
  const { attemptId, attempt, startedAt, durationMs, status, headers, headersTruncated = false, body, bodyTruncated } = result;
  const { errorCode, remoteIp, requestHeaders = null, timings } = result;
  return {
    id: attemptId,
    attempt,
    started_at: toTime(startedAt),
    duration_ms: durationMs,
    outcome: errorCode ?? (status !== null && isSuccess(status) ? 'succeeded' : 'http_error'),
    response_status: status,
    response_headers: headers,
    response_headers_truncated: headersTruncated,
    response_body: body,
    response_body_truncated: bodyTruncated,
    error_code: errorCode,
    remote_ip: remoteIp,
    request_headers: requestHeaders,
    timings: timings ? toTimingsResource(timings) : null,
  };
}

function toTimingsResource({ dnsMs, connectMs, tlsMs, firstByteMs }: AttemptTimings): AttemptTimingsResource {
  return { dns_ms: dnsMs, connect_ms: connectMs, tls_ms: tlsMs, first_byte_ms: firstByteMs };
}
