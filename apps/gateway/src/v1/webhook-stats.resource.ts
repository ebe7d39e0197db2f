import { ApiSchema } from '@nestjs/swagger';
import { toTime } from '@application/read-models/time.resource';
import type { StatsPoint, WebhookStats } from '@application/webhooks/stats/webhook-stats.query';
import type { ResponseClass } from '@domain/delivery/outcome';
import { COUNT, COUNT_OR_NULL, KindMember, Member, TIME, TIME_OR_NULL } from '../http/docs/schemas.resource.js';
import { DurationPercentilesResource } from './duration-percentiles.resource.js';
import { ABOUT_SPANS, ABOUT_WINDOW, WINDOW } from './window-filters.js';

/** No class: members whose names begin with a digit do not compile in clients that `typescript-fetch` generates. */
const COUNT_BY_CLASS = {
  type: 'object',
  additionalProperties: COUNT,
  example: { '2xx': 118, '3xx': 0, '4xx': 2, '5xx': 7, none: 1 } satisfies Record<ResponseClass, number>,
} as const;
const ABOUT_CLASSES =
  'Attempts that ended within the window, tests aside, by the class of the status that the receiver answered: `2xx`, `3xx`, `4xx` and `5xx`; `none` are those without an answer, or with a status of no other class. Each is always there.';

@ApiSchema({ description: 'Deliveries by how they ended within the window, and those that are open now.' })
class DeliveryCountsResource {
  @Member(COUNT, 'Deliveries that succeeded in the window.') succeeded!: number;
  @Member(COUNT, 'Deliveries that were given up in the window.') failed!: number;
  @Member(COUNT, 'Deliveries that were cancelled in the window.') cancelled!: number;
  @Member(COUNT, 'Deliveries that are not finished now, whenever they began.') open!: number;
}

@ApiSchema({ description: 'What ended in one span of the window.' })
class StatsPointResource {
  @Member(TIME, 'When the span begins, in UTC.') at!: string;
  @Member(COUNT, 'Deliveries that succeeded.') succeeded!: number;
  @Member(COUNT, 'Deliveries that were given up.') failed!: number;
  @Member(COUNT, 'Deliveries that were cancelled.') cancelled!: number;
  @Member(COUNT, 'Attempts that ended, whatever was answered.') attempts!: number;
  @Member(COUNT_OR_NULL, 'What 95 % of the attempts took at most, as `duration_ms.p95`; null where none has a known duration.')
  p95_ms!: number | null;
}

const SERIES = { type: () => [StatsPointResource] };

class StatsResource {
  @Member(WINDOW, ABOUT_WINDOW) window!: string;
  @Member({ type: () => DeliveryCountsResource }, 'Deliveries, tests aside.') deliveries!: DeliveryCountsResource;
  @Member(COUNT_BY_CLASS, ABOUT_CLASSES) attempts!: Readonly<Record<ResponseClass, number>>;
  @Member({ type: () => DurationPercentilesResource }, 'How long those attempts took.') duration_ms!: DurationPercentilesResource;
  @Member(TIME_OR_NULL, 'When the oldest delivery that is open now was scheduled; null where none is.')
  oldest_pending_at!: string | null;
  @Member(SERIES, ABOUT_SPANS) series!: readonly StatsPointResource[];
}

@ApiSchema({ description: 'How the deliveries to an endpoint went.' })
export class WebhookEndpointStatsResource extends StatsResource {
  @KindMember('webhook_endpoint_stats') object!: 'webhook_endpoint_stats';
  @Member(TIME_OR_NULL, "As the endpoint's `failing_since`; null while its latest attempt succeeded.") failing_since!:
    string | null;
}

@ApiSchema({ description: "How the deliveries to all of the project's endpoints went, deleted ones included." })
export class WebhookStatsResource extends StatsResource {
  @KindMember('webhook_stats') object!: 'webhook_stats';
}

export function toWebhookEndpointStatsResource(stats: WebhookStats): WebhookEndpointStatsResource {
  const { window, deliveries, attempts, duration_ms, oldest_pending_at, series } = shared(stats);
  const failing_since = toTime(stats.failingSince);
  const counts = { window, deliveries, attempts, duration_ms };
  return { object: 'webhook_endpoint_stats', ...counts, failing_since, oldest_pending_at, series };
}

export function toWebhookStatsResource(stats: WebhookStats): WebhookStatsResource {
  return { object: 'webhook_stats', ...shared(stats) };
}

function shared({ window, deliveries, attempts, durationMs, oldestPendingAt, series }: WebhookStats): StatsResource {
  return {
    window,
    deliveries,
    attempts,
    duration_ms: durationMs,
    oldest_pending_at: toTime(oldestPendingAt),
    series: series.map(toPoint),
  };
}

function toPoint({ at, succeeded, failed, cancelled, attempts, p95Ms }: StatsPoint): StatsPointResource {
  return { at: toTime(at), succeeded, failed, cancelled, attempts, p95_ms: p95Ms };
}
