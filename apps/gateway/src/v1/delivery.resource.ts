import { ApiSchema } from '@nestjs/swagger';
import type { DeliveryView } from '@application/webhooks/delivery-view';
import { DELIVERY_STATUSES, type DeliveryStatus } from '@domain/delivery/delivery';
import {
  CANCEL_REASONS,
  DELIVERY_TRIGGERS,
  type AttemptResult,
  type CancelReason,
  type DeliveryTrigger,
} from '@domain/delivery/delivery.events';
import { isSuccess, NETWORK_ERRORS, type NetworkErrorCode } from '@domain/delivery/outcome';
import { FAILURE_REASONS, type FailureReason } from '@domain/delivery/retry-policy';
import { toTime } from '@application/read-models/time.resource';
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

const NETWORK_ERROR: Readonly<Record<NetworkErrorCode, string>> = {
  timeout: 'no status line came within the time limit.',
  dns_error: "the host's name has no address, or could not be looked up.",
  connection_refused: 'nothing listens at the address and port.',
  connection_reset: 'the connection was closed before a status line came.',
  tls_error: 'the certificate or the handshake was not accepted.',
  ssrf_blocked: 'webhooks are not, or no longer, sent to this address, port or scheme.',
  redirect: 'the answer was a redirect; it is not followed.',
  network_error: 'anything else, such as an answer that is not HTTP, or an attempt cut off by the end of our process.',
};

const OUTCOME: Readonly<Record<'succeeded' | 'http_error' | NetworkErrorCode, string>> = {
  succeeded: 'the receiver answered 2xx.',
  http_error: 'the receiver answered with another status.',
  ...NETWORK_ERROR,
};

const STATUS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'waits for its first attempt.',
  delivering: 'an attempt is under way.',
  retrying: 'the latest attempt failed; the next is at `next_attempt_at`.',
  succeeded: 'the receiver answered 2xx.',
  failed: 'given up; `failure_reason` says why.',
  cancelled: 'no longer to be sent; `cancel_reason` says why.',
};

const FAILURE_REASON: Readonly<Record<FailureReason, string>> = {
  attempts_exhausted: 'the last attempt of the schedule failed.',
  permanent_rejection: 'the receiver answered a 4xx other than 408 and 429, which is not tried again.',
};

const CANCEL_REASON: Readonly<Record<CancelReason, string>> = {
  endpoint_disabled: 'the endpoint was disabled.',
  endpoint_deleted: 'the endpoint was deleted.',
  superseded: 'a replay took its place; `superseded_by` names it.',
};

const TRIGGER: Readonly<Record<DeliveryTrigger, string>> = {
  event: 'the event itself.',
  replay: 'a replay of another delivery; `replay_of` names it.',
  test: 'a test of the endpoint; its event is not in the events log.',
};

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
}

@ApiSchema({ description: 'The sending of one event to one endpoint, over all its attempts.' })
export class DeliveryResource {
  @Member(idOf('delivery'), 'Names the delivery; the receiver gets it as `Service-Delivery-Id`.') id!: string;
  @KindMember('webhook_delivery') object!: 'webhook_delivery';
  @Member(idOf('event'), 'The event that is sent; the receiver gets it as `webhook-id`.') event_id!: string;
  @Member(TEXT, 'The `type` of the event, such as `appointment.confirmed`.') event_type!: string;
  @Member(idOf('endpoint'), 'The endpoint that it is sent to.') webhook_endpoint_id!: string;
  @Member(TEXT, "Where the latest attempt was posted; before the first attempt the endpoint's address at that time.")
  url!: string;
  @Member(one(...DELIVERY_STATUSES), withMeanings('Where the delivery stands.', STATUS)) status!: string;
  @Member(COUNT, 'How many attempts were begun, the one under way included.') attempt_count!: number;
  @Member({ ...COUNT, minimum: 1 }, 'How many attempts there are at most: the length of the schedule when the delivery was made.')
  max_attempts!: number;
  @Member(TIME_OR_NULL, 'When the next attempt is due; null while one is under way and once the delivery is over.')
  next_attempt_at!: string | null;
  @Member(STATUS_OR_NULL, 'The HTTP status of the latest attempt that is over; null where it got no answer.')
  last_response_status!: number | null;
  @Member(oneOrNull(...FAILURE_REASONS), withMeanings('Why it was given up; null unless `failed`.', FAILURE_REASON))
  failure_reason!: string | null;
  @Member(oneOrNull(...CANCEL_REASONS), withMeanings('Why it is no longer sent; null unless `cancelled`.', CANCEL_REASON))
  cancel_reason!: string | null;
  @Member(one(...DELIVERY_TRIGGERS), withMeanings('What it was made for.', TRIGGER)) trigger!: string;
  @Member(DELIVERY_OR_NULL, 'The delivery that this one repeats; null where it is no replay.') replay_of!: string | null;
  @Member(DELIVERY_OR_NULL, 'The replay that took its place while it was still waiting; null where none did.')
  superseded_by!: string | null;
  @Member(TIME, 'When the delivery was made.') created_at!: string;
  @Member(TIME_OR_NULL, 'When it succeeded, failed or was cancelled; null until then.') completed_at!: string | null;
  @Member({ type: [AttemptResource] }, 'Every attempt that is over, oldest first.') attempts!: readonly AttemptResource[];
}

/** A delivery with its finished attempts, oldest first (api-contract §8.8). */
export function toDeliveryResource(delivery: DeliveryView): DeliveryResource {
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
    failure_reason: delivery.failureReason,
    cancel_reason: delivery.cancelReason,
    trigger: delivery.trigger,
    replay_of: delivery.replayOf,
    superseded_by: delivery.supersededBy,
    created_at: toTime(delivery.createdAt),
    completed_at: toTime(delivery.completedAt),
    attempts: delivery.attempts.map(toAttemptResource),
  };
}

function toAttemptResource(result: AttemptResult): AttemptResource {
  const { attemptId, attempt, startedAt, durationMs, status, headers, headersTruncated = false, body, bodyTruncated } = result;
  const { errorCode, remoteIp } = result;
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
  };
}
