import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '@ports/clock.port';
import { ReadModels } from '@ports/read-models.port';
import { ProjectDirectory } from '../../projects/project-directory.js';
import { percentileMs, percentilesOf } from '../../read-models/duration-histogram.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { slotPoints } from '../../read-models/slot-points.js';
import { AGENT_HEALTH } from '../state/agent-health-row.js';
import { conversationsProjection } from '../state/conversations.projection.js';
import { summed, type TurnSlot } from '../state/turn-slot.js';
import { GetConversationStats, type ConversationStats } from './conversation-stats.query.js';

@QueryHandler(GetConversationStats)
export class GetConversationStatsHandler implements IQueryHandler<GetConversationStats> {
  constructor(
    private readonly projects: ProjectDirectory,
    private readonly fresh: FreshRows,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  async execute(query: GetConversationStats): Promise<ConversationStats> {
    await this.projects.load(query.projectId);
    return this.fresh.whole(conversationsProjection, () => this.read(query));
  }

  private async read({ projectId, window }: GetConversationStats): Promise<ConversationStats> {
    const wanted = { collection: AGENT_HEALTH.name, owner: projectId, projectId, window, now: this.clock.now() };
    const points = await slotPoints<TurnSlot>(this.readModels, wanted);
    const series = points.map(({ at, slots }) => ({ at, ...summed(slots) }));
    const { messages, replied, failed, durations } = summed(series);
    return {
      window,
      messages,
      turns: { replied, failed },
      durationMs: percentilesOf(durations),
      series: series.map(({ durations: own, ...counts }) => ({ ...counts, p95Ms: percentileMs(own, 0.95) })),
    };
  }
}
