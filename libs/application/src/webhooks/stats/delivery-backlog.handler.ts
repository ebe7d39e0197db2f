import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { RetrySchedule } from '@domain/delivery/retry-schedule';
import { gapBefore, tierName } from '@domain/delivery/tiers';
import { ReadModels } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import { ProjectDirectory } from '../../projects/project-directory.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { ENDPOINT_HEALTH } from '../endpoint-health-row.js';
import { GetDeliveryBacklog, type TierBacklog } from './delivery-backlog.query.js';
import { openRowId, type OpenRow } from './open-row.js';

@QueryHandler(GetDeliveryBacklog)
export class GetDeliveryBacklogHandler implements IQueryHandler<GetDeliveryBacklog> {
  constructor(
    private readonly projects: ProjectDirectory,
    private readonly fresh: FreshRows,
    private readonly readModels: ReadModels,
    private readonly settings: Settings,
  ) {}

  async execute({ projectId }: GetDeliveryBacklog): Promise<readonly TierBacklog[]> {
    await this.projects.load(projectId);
    const read = () => this.readModels.getMany(ENDPOINT_HEALTH.name, [openRowId(projectId)]);
    const [open] = await this.fresh.whole(deliveriesProjection, read);
    return tiersWith((open?.row as OpenRow | undefined)?.byAttempts ?? [], this.settings.retrySchedule);
  }
}

/** Every tier of the schedule. Deliveries of a longer schedule than the present one wait as long as the last. */
function tiersWith(byAttempts: readonly number[], schedule: RetrySchedule): readonly TierBacklog[] {
  const openByWait = new Map<number, number>();
  const attempts = Math.max(schedule.waits.length, byAttempts.length);
  for (let over = 0; over < attempts; over++) {
    const waitMs = gapBefore(schedule, over + 1);
    openByWait.set(waitMs, (openByWait.get(waitMs) ?? 0) + (byAttempts[over] ?? 0));
  }
  return [...openByWait]
    .sort(([one], [other]) => one - other)
    .map(([waitMs, open]) => ({ tier: waitMs > 0 ? tierName(waitMs) : null, waitMs, open }));
}
