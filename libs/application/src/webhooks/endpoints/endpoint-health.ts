import { Injectable } from '@nestjs/common';
import { isRetryableStoreError } from '@ports/event-store.port';
import { ReadModels } from '@ports/read-models.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { ENDPOINT_HEALTH, type EndpointHealthRow } from '../endpoint-health-row.js';
import { OldestPending } from './oldest-pending.js';

/** What the rows of an endpoint's deliveries say of it. */
export interface EndpointCondition {
  readonly failingSince: number | null;
  readonly oldestPendingAt: number | null;
}

/** Since when endpoints fail, by the outcomes of their deliveries' attempts, and how far back their open deliveries reach. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly oldest: OldestPending,
  ) {}

  /** By endpoint id. Waits for the rows like a list; empty while they are unreachable. */
  async conditions(projectId: string, endpointIds: readonly string[]): Promise<ReadonlyMap<string, EndpointCondition>> {
    try {
      await this.fresh.caughtUp(deliveriesProjection);
      const failingSince = await this.stored(endpointIds);
      const conditions = endpointIds.map(async (id) => {
        const oldestPendingAt = await this.oldest.createdAt(projectId, id);
        return [id, { failingSince: failingSince.get(id) ?? null, oldestPendingAt }] as const;
      });
      return new Map(await Promise.all(conditions));
    } catch (error) {
      if (!isRetryableStoreError(error)) throw error;
      return new Map();
    }
  }

  /** The start of the first failure since the last success, of those that fail. Rejects where the rows are unreachable. */
  async stored(endpointIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const since = new Map<string, number>();
    for (const found of await this.readModels.getMany(ENDPOINT_HEALTH.name, endpointIds)) {
      const { failingSince = null } = (found?.row ?? {}) as Partial<EndpointHealthRow>;
      if (found && failingSince !== null) since.set(found.id, failingSince);
    }
    return since;
  }
}
