import { ApiProperty } from '@nestjs/swagger';
import type { DeliveryView } from '@application/webhooks/delivery-view';
import { DELIVERY_STATUSES } from '@domain/delivery/delivery';
import { CANCEL_REASONS, DELIVERY_TRIGGERS, type AttemptResult } from '@domain/delivery/delivery.events';
import { isSuccess, NETWORK_ERRORS } from '@domain/delivery/outcome';
import { FAILURE_REASONS } from '@domain/delivery/retry-policy';
import { toTime } from '@application/read-models/time.resource';
import {
  COUNT,
  COUNT_OR_NULL,
  idOf,
  idOrNull,
  one,
  oneOrNull,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from './schemas.resource.js';

const STATUS_OR_NULL = { type: 'integer', minimum: 100, maximum: 999, nullable: true } as const;

export class AttemptResource {
  @ApiProperty(idOf('attempt')) id!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) attempt!: number;
  @ApiProperty(TIME) started_at!: string;
  @ApiProperty(COUNT_OR_NULL) duration_ms!: number | null;
  @ApiProperty(one('succeeded', 'http_error', ...NETWORK_ERRORS)) outcome!: string;
  @ApiProperty(STATUS_OR_NULL) response_status!: number | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  response_headers!: Readonly<Record<string, string>> | null;
  @ApiProperty({
    type: 'boolean',
    description: 'Whether the answer had more headers than are kept, longer ones, or some that could not be read.',
  })
  response_headers_truncated!: boolean;
  @ApiProperty(TEXT_OR_NULL) response_body!: string | null;
  @ApiProperty({
    type: 'boolean',
    description: 'Whether the answer had a longer body than is kept, or one that could not be read.',
  })
  response_body_truncated!: boolean;
  @ApiProperty({
    ...oneOrNull(...NETWORK_ERRORS),
    description: '`ssrf_blocked`: webhooks are not, or no longer, sent to this address, port or scheme.',
  })
  error_code!: string | null;
  @ApiProperty(TEXT_OR_NULL) remote_ip!: string | null;
}

export class DeliveryResource {
  @ApiProperty(idOf('delivery')) id!: string;
  @ApiProperty(one('webhook_delivery')) object!: 'webhook_delivery';
  @ApiProperty(idOf('event')) event_id!: string;
  @ApiProperty(TEXT) event_type!: string;
  @ApiProperty(idOf('endpoint')) webhook_endpoint_id!: string;
  @ApiProperty(TEXT) url!: string;
  @ApiProperty(one(...DELIVERY_STATUSES)) status!: string;
  @ApiProperty(COUNT) attempt_count!: number;
  @ApiProperty({ ...COUNT, minimum: 1 }) max_attempts!: number;
  @ApiProperty(TIME_OR_NULL) next_attempt_at!: string | null;
  @ApiProperty(STATUS_OR_NULL) last_response_status!: number | null;
  @ApiProperty(oneOrNull(...FAILURE_REASONS)) failure_reason!: string | null;
  @ApiProperty(oneOrNull(...CANCEL_REASONS)) cancel_reason!: string | null;
  @ApiProperty(one(...DELIVERY_TRIGGERS)) trigger!: string;
  @ApiProperty(idOrNull('delivery')) replay_of!: string | null;
  @ApiProperty(idOrNull('delivery')) superseded_by!: string | null;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME_OR_NULL) completed_at!: string | null;
  @ApiProperty({ type: [AttemptResource] }) attempts!: readonly AttemptResource[];
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
