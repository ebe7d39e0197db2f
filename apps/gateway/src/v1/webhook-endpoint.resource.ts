import { ApiProperty } from '@nestjs/swagger';
import type { EndpointView, EndpointWithSecret } from '@application/webhooks/endpoints/endpoint.commands';
import { MASKED_VALUE } from '@domain/endpoint/custom-headers';
import { ENDPOINT_STATUSES } from '@domain/endpoint/endpoint.events';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '@application/read-models/time.resource';
import { ALWAYS_TRUE, idOf, METADATA, one, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL } from './schemas.resource.js';

const TEXTS = { type: 'array', items: TEXT } as const;

export class WebhookEndpointResource {
  @ApiProperty(idOf('endpoint')) id!: string;
  @ApiProperty(one('webhook_endpoint')) object!: 'webhook_endpoint';
  @ApiProperty(TEXT) url!: string;
  @ApiProperty({ ...TEXTS, description: 'Empty: all events.' }) event_filters!: readonly string[];
  @ApiProperty(one(...ENDPOINT_STATUSES)) status!: string;
  @ApiProperty(TEXT_OR_NULL) disabled_reason!: string | null;
  @ApiProperty(TEXT_OR_NULL) description!: string | null;
  @ApiProperty(one('v1')) api_version!: 'v1';
  @ApiProperty({
    type: 'object',
    additionalProperties: TEXT,
    description: 'Sent along with every delivery. The values are secrets and never shown.',
    example: { Authorization: MASKED_VALUE },
  })
  headers!: Readonly<Record<string, string>>;
  @ApiProperty(METADATA) metadata!: JsonText;
  @ApiProperty({ ...TEXT, example: '…gISIj', description: 'The end of the signing secret.' }) secret_hint!: string;
  @ApiProperty(TIME_OR_NULL) secret_rotated_at!: string | null;
  @ApiProperty(TIME_OR_NULL) previous_secret_expires_at!: string | null;
  @ApiProperty(TIME_OR_NULL) failing_since!: string | null;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) updated_at!: string;
}

export class WebhookEndpointWithSecretResource extends WebhookEndpointResource {
  @ApiProperty({ ...TEXT, description: 'Signs the deliveries. Shown this once.' }) secret!: string;
}

export class DeletedWebhookEndpointResource {
  @ApiProperty(idOf('endpoint')) id!: string;
  @ApiProperty(one('webhook_endpoint')) object!: 'webhook_endpoint';
  @ApiProperty(ALWAYS_TRUE) deleted!: true;
}

/** An endpoint without its secret (api-contract §8.9). Endpoints are never disabled for failing: `disabled_reason` is null. */
export function toWebhookEndpointResource(endpoint: EndpointView): WebhookEndpointResource {
  return {
    id: endpoint.id,
    object: 'webhook_endpoint',
    url: endpoint.url,
    event_filters: endpoint.filters,
    status: endpoint.status,
    disabled_reason: null,
    description: endpoint.description,
    api_version: 'v1',
    headers: endpoint.headers,
    metadata: new JsonText(endpoint.metadata),
    secret_hint: endpoint.secretHint,
    secret_rotated_at: toTime(endpoint.secretRotatedAt),
    previous_secret_expires_at: toTime(endpoint.previousSecretExpiresAt),
    failing_since: toTime(endpoint.failingSince),
    created_at: toTime(endpoint.createdAt),
    updated_at: toTime(endpoint.updatedAt),
  };
}

/** An endpoint that was just registered or rotated: the only answers that contain its secret (api-contract §8.9). */
export function toWebhookEndpointWithSecretResource({ endpoint, secret }: EndpointWithSecret): WebhookEndpointWithSecretResource {
  return { ...toWebhookEndpointResource(endpoint), secret };
}
