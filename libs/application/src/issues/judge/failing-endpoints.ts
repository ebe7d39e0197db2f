import { Injectable } from '@nestjs/common';
import { isAlarming } from '@domain/issue/failure-run';
import type { Issue } from '@domain/issue/issue';
import { ReadModels } from '@ports/read-models.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection } from '../../webhooks/deliveries.projection.js';
import { ENDPOINT_HEALTH, type EndpointHealthRow } from '../../webhooks/endpoint-health-row.js';
import { alarmOf } from './alarm-of.js';
import { IssueRule, type Cause } from './issue-rule.js';
import { KnownEndpoints } from './known-endpoints.js';
import { RecentRows } from './recent-rows.js';

/** Three attempts in a row failed. */
@Injectable()
export class FailingEndpoints extends IssueRule {
  private readonly rows: RecentRows<EndpointHealthRow>;

  constructor(
    private readonly readModels: ReadModels,
    fresh: FreshRows,
    private readonly endpoints: KnownEndpoints,
  ) {
    super();
    const { name: collection } = ENDPOINT_HEALTH;
    this.rows = new RecentRows(readModels, fresh, { projection: deliveriesProjection, collection, field: 'failedAt' });
  }

  async causes(now: number): Promise<readonly Cause[]> {
    return (await this.rows.read(now)).flatMap(({ id: subjectId, projectId, row }) => {
      const alarm = alarmOf(row.attempts, now);
      return alarm ? [{ subjectId, projectId, ...alarm, name: () => this.endpoints.nameOf(projectId, subjectId) }] : [];
    });
  }

  async overSince({ projectId, subject: { id } }: Issue, now: number): Promise<number | null> {
    const [found] = await this.readModels.getMany(ENDPOINT_HEALTH.name, [id]);
    const { attempts } = (found?.row ?? {}) as Partial<EndpointHealthRow>;
    if (attempts && !isAlarming(attempts)) return attempts.overSince;
    return (await this.endpoints.find(projectId, id)) ? null : this.endpoints.goneSince(id, now);
  }
}
