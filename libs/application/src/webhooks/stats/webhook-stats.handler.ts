import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '@ports/clock.port';
import { ReadModels } from '@ports/read-models.port';
import { percentileMs, percentilesOf } from '../../read-models/duration-histogram.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { slotPoints } from '../../read-models/slot-points.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { ENDPOINT_HEALTH, type EndpointHealthRow } from '../endpoint-health-row.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { OldestPending } from '../endpoints/oldest-pending.js';
import { type DeliverySlot, type EndedCounts, summed } from './delivery-slot.js';
import { openIn, openRowId, type OpenRow } from './open-row.js';
import { GetWebhookStats, type StatsPoint, type WebhookStats } from './webhook-stats.query.js';

@QueryHandler(GetWebhookStats)
export class GetWebhookStatsHandler implements IQueryHandler<GetWebhookStats> {
  constructor(
    private readonly directory: EndpointDirectory,
    private readonly fresh: FreshRows,
    private readonly readModels: ReadModels,
    private readonly oldest: OldestPending,
    private readonly clock: Clock,
  ) {}

  async execute(query: GetWebhookStats): Promise<WebhookStats> {
    const { projectId, endpointId } = query;
    if (endpointId !== null) await this.directory.load(projectId, endpointId);
    return this.fresh.whole(deliveriesProjection, () => this.read(query));
  }

  private async read({ projectId, endpointId, window }: GetWebhookStats): Promise<WebhookStats> {
    const owner = endpointId ?? projectId;
    const collection = ENDPOINT_HEALTH.name;
    const [points, stored] = await Promise.all([
      slotPoints<DeliverySlot>(this.readModels, { collection, owner, projectId, window, now: this.clock.now() }),
      this.readModels.getMany(collection, [owner, openRowId(owner)]),
    ]);
    const [health, open] = stored.map((found) => (found?.projectId === projectId ? found.row : null));
    const series = points.map(({ at, slots }) => ({ at, counts: summed(slots) }));
    const { succeeded, failed, cancelled, attempts, durations } = summed(series.map(({ counts }) => counts));
    return {
      window,
      deliveries: { succeeded, failed, cancelled, open: openIn(open as OpenRow | null) },
      attempts,
      durationMs: percentilesOf(durations),
      failingSince: (health as EndpointHealthRow | null)?.failingSince ?? null,
      oldestPendingAt: await this.oldest.createdAt(projectId, endpointId),
      series: series.map(({ at, counts }) => pointOf(at, counts)),
    };
  }
}

function pointOf(at: number, { succeeded, failed, cancelled, attempts, durations }: EndedCounts): StatsPoint {
  const made = Object.values(attempts).reduce((sum, count) => sum + count, 0);
  return { at, succeeded, failed, cancelled, attempts: made, p95Ms: percentileMs(durations, 0.95) };
}
