import { ApiSchema } from '@nestjs/swagger';
import type { EndpointView, EndpointWithSecret } from '@application/webhooks/endpoints/endpoint.commands';
import { MASKED_VALUE } from '@domain/endpoint/custom-headers';
import { DISABLED_REASONS, ENDPOINT_STATUSES, PAUSE_REASONS, type PauseReason } from '@domain/endpoint/endpoint.events';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '@application/read-models/time.resource';
import { withMeanings } from '../http/docs/with-meanings.js';
import { DISABLED_REASON, ENDPOINT_STATUS } from './meanings.js';
import {
  ABOUT_METADATA,
  COUNT_OR_NULL,
  FLAG,
  idOf,
  KindMember,
  Member,
  METADATA,
  one,
  oneOrNull,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../http/docs/schemas.resource.js';

const FAILING_SINCE =
  'When the first of the attempts failed that have all failed since, tests aside; null while the latest attempt succeeded.';

const OLDEST_PENDING = 'When the oldest of its open deliveries was created, tests aside; null while none is open.';

const PAUSE_REASON: Readonly<Record<PauseReason, string>> = {
  user: 'a request paused it.',
  auto_failing: 'the service paused it: it has failed for days, and five deliveries to it failed for good since.',
};

const DISABLED = 'Why the service disabled it; null while it is not disabled, and where a client disabled it.';

const TEXTS = { type: 'array', items: TEXT } as const;

@ApiSchema({ description: 'Where events are posted, and which.' })
export class WebhookEndpointResource {
  @Member(idOf('endpoint'), 'Names the endpoint in paths and in `webhook_endpoint_id` of deliveries.') id!: string;
  @KindMember('webhook_endpoint') object!: 'webhook_endpoint';
  @Member(TEXT, 'The address that events are posted to.') url!: string;
  @Member(TEXTS, 'Which events are sent: exact types such as `appointment.created`, `appointment.*`, or `*`; empty for all.')
  event_filters!: readonly string[];
  @Member(one(...ENDPOINT_STATUSES), withMeanings('Whether events are sent to it.', ENDPOINT_STATUS)) status!: string;
  @Member(oneOrNull(...DISABLED_REASONS), withMeanings(DISABLED, DISABLED_REASON)) disabled_reason!: string | null;
  @Member(TIME_OR_NULL, 'When it was paused; null unless `paused`.') paused_at!: string | null;
  @Member(oneOrNull(...PAUSE_REASONS), withMeanings('Why it was paused; null unless `paused`.', PAUSE_REASON))
  paused_reason!: string | null;
  @Member(TEXT_OR_NULL, "The client's own note about it; null where there is none.") description!: string | null;
  @Member(one('v1'), 'Always `v1`: the version of the form of what is posted.') api_version!: 'v1';
  @Member(
    { type: 'object', additionalProperties: TEXT, example: { Authorization: MASKED_VALUE } },
    `Headers that every delivery carries besides its own. Their values are secrets and shown as \`${MASKED_VALUE}\`.`,
  )
  headers!: Readonly<Record<string, string>>;
  @Member(METADATA, ABOUT_METADATA) metadata!: JsonText;
  @Member(FLAG, 'Whether an answer of 410 Gone disables it.') disable_on_gone!: boolean;
  @Member(COUNT_OR_NULL, 'How many attempts a second may begin; null where there is no limit.')
  rate_limit_per_second!: number | null;
  @Member({ ...TEXT, example: '…gISIj' }, 'The last characters of the signing secret, to tell one secret from another.')
  secret_hint!: string;
  @Member(TIME_OR_NULL, 'When the secret was last replaced; null where it is still the first.') secret_rotated_at!: string | null;
  @Member(TIME_OR_NULL, 'Until when deliveries are signed with the secret before as well; null where there is none.')
  previous_secret_expires_at!: string | null;
  @Member(TIME_OR_NULL, FAILING_SINCE) failing_since!: string | null;
  @Member(TIME_OR_NULL, OLDEST_PENDING) oldest_pending_at!: string | null;
  @Member(TIME, 'When the endpoint was registered.') created_at!: string;
  @Member(TIME, 'When the endpoint last changed; its registration at first.') updated_at!: string;
}

@ApiSchema({ description: 'An endpoint with its signing secret: in answers to registration and rotation only.' })
export class WebhookEndpointWithSecretResource extends WebhookEndpointResource {
  @Member(TEXT, 'The signing secret, `whsec_` and 48 characters of base64. Keep it: it is shown this once.')
  secret!: string;
}

@ApiSchema({ description: 'What is answered to the deletion of an endpoint.' })
export class DeletedWebhookEndpointResource {
  @Member(idOf('endpoint'), 'The endpoint that was deleted; its deliveries can still be read.') id!: string;
  @KindMember('webhook_endpoint') object!: 'webhook_endpoint';
  @Member(FLAG, 'Always true: the endpoint is deleted.') deleted!: true;
}

/** An endpoint without its secret. */
export function toWebhookEndpointResource(endpoint: EndpointView): WebhookEndpointResource {
  return {
    id: endpoint.id,
    object: 'webhook_endpoint',
    url: endpoint.url,
    event_filters: endpoint.filters,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    paused_at: toTime(endpoint.pausedAt),
    paused_reason: endpoint.pausedReason,
    description: endpoint.description,
    api_version: 'v1',
    headers: endpoint.headers,
    metadata: new JsonText(endpoint.metadata),
    disable_on_gone: endpoint.disableOnGone,
    rate_limit_per_second: endpoint.rateLimitPerSecond,
    secret_hint: endpoint.secretHint,
    secret_rotated_at: toTime(endpoint.secretRotatedAt),
    previous_secret_expires_at: toTime(endpoint.previousSecretExpiresAt),
    failing_since: toTime(endpoint.failingSince),
    oldest_pending_at: toTime(endpoint.oldestPendingAt),
    created_at: toTime(endpoint.createdAt),
    updated_at: toTime(endpoint.updatedAt),
  };
}

/** A new or rotated endpoint: the only answers that contain the secret. */
export function toWebhookEndpointWithSecretResource({ endpoint, secret }: EndpointWithSecret): WebhookEndpointWithSecretResource {
  return { ...toWebhookEndpointResource(endpoint), secret };
}
