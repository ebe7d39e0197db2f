import { Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { SAME_WITHIN_MS } from '@domain/issue/issue.decider';
import { ReadModels } from '@ports/read-models.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection } from '../../webhooks/deliveries.projection.js';
import { ENDPOINT_HEALTH, type EndpointHealthRow } from '../../webhooks/endpoint-health-row.js';
import { IssueRule, type Cause } from './issue-rule.js';
import { KnownEndpoints } from './known-endpoints.js';
import { RecentRows } from './recent-rows.js';
import { UnrecoveredDeliveries } from './unrecovered-deliveries.js';

const CAUSE = { code: 'delivery_failed', message: 'A delivery failed for good: it is not tried again by itself.' };

/** A delivery failed for good, and its event has not succeeded there since. */
@Injectable()
export class FailedDeliveries extends IssueRule {
  private readonly rows: RecentRows<EndpointHealthRow>;

  constructor(
    private readonly readModels: ReadModels,
    fresh: FreshRows,
    private readonly endpoints: KnownEndpoints,
    private readonly unrecovered: UnrecoveredDeliveries,
  ) {
    super();
    const { name: collection } = ENDPOINT_HEALTH;
    this.rows = new RecentRows(readModels, fresh, { projection: deliveriesProjection, collection, field: 'failedAt' });
  }

  async causes(now: number): Promise<readonly Cause[]> {
    return (await this.rows.read(now)).flatMap(({ id: subjectId, projectId, row }) => {
      const { deliveriesFailed: counted, deliveryFailedAt: since } = row;
      if (since === null) return [];
      const seen = { since, firstSeenAt: since, lastSeenAt: since, counted, countedBefore: null };
      return [{ subjectId, projectId, cause: CAUSE, ...seen, name: () => this.nameOf(projectId, subjectId, since, now) }];
    });
  }

  async overSince({ projectId, subject: { id } }: Issue, now: number): Promise<number | null> {
    if (projectId === null || !(await this.endpoints.find(projectId, id))) return this.endpoints.goneSince(id, now);
    const [found] = await this.readModels.getMany(ENDPOINT_HEALTH.name, [id]);
    if (!found) return null;
    const { deliveryFailedAt } = found.row as EndpointHealthRow;
    const recovery = await this.unrecovered.recovery({ projectId, endpointId: id }, deliveryFailedAt, now);
    return recovery?.isOver ? recovery.since : null;
  }

  /** What failed long before it was looked at counts only if it has not recovered since. */
  private async nameOf(projectId: string, endpointId: string, failedAt: number, now: number): Promise<string | null> {
    const endpoint = { projectId, endpointId };
    const isLate = now - failedAt > SAME_WITHIN_MS;
    const counts = isLate
      ? !(await this.unrecovered.recovery(endpoint, failedAt, now))?.isOver
      : await this.unrecovered.anyFailed(endpoint);
    return counts ? this.endpoints.nameOf(projectId, endpointId) : null;
  }
}
