import { Injectable } from '@nestjs/common';
import { isAlarming } from '@domain/issue/failure-run';
import type { Issue } from '@domain/issue/issue';
import { ReadModels } from '@ports/read-models.port';
import { AGENT_HEALTH, type AgentHealthRow } from '../../conversations/state/agent-health-row.js';
import { conversationsProjection } from '../../conversations/state/conversations.projection.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { alarmOf } from './alarm-of.js';
import { IssueRule, type Cause } from './issue-rule.js';
import { RecentRows } from './recent-rows.js';

/** Three turns of a project in a row failed. */
@Injectable()
export class FailingAgents extends IssueRule {
  private readonly rows: RecentRows<AgentHealthRow>;

  constructor(
    private readonly readModels: ReadModels,
    fresh: FreshRows,
  ) {
    super();
    const { name: collection } = AGENT_HEALTH;
    this.rows = new RecentRows(readModels, fresh, { projection: conversationsProjection, collection, field: 'failedAt' });
  }

  async causes(now: number): Promise<readonly Cause[]> {
    return (await this.rows.read(now)).flatMap(({ id: subjectId, projectId, row }) => {
      const alarm = alarmOf(row.turns, now);
      return alarm ? [{ subjectId, projectId, ...alarm, name: () => Promise.resolve(projectId) }] : [];
    });
  }

  async overSince({ subject }: Issue): Promise<number | null> {
    const [found] = await this.readModels.getMany(AGENT_HEALTH.name, [subject.id]);
    const { turns } = (found?.row ?? {}) as Partial<AgentHealthRow>;
    return turns && !isAlarming(turns) ? turns.overSince : null;
  }
}
