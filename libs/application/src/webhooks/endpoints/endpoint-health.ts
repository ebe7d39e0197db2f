import { Injectable } from '@nestjs/common';
import { isRetryableStoreError } from '@ports/event-store.port';
import { ReadModels } from '@ports/read-models.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import { ENDPOINT_HEALTH, type EndpointHealthRow } from '../endpoint-health-row.js';

/** Since when endpoints fail, by the outcomes of their deliveries' attempts. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
  ) {}

  /** Start of the first failure since the last success. Waits for the rows like a list; empty while they are unreachable. */
  async failingSince(endpointIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    try {
      await this.fresh.caughtUp(deliveriesProjection);
      return await this.stored(endpointIds);
    } catch (error) {
      if (!isRetryableStoreError(error)) throw error;
      return new Map();
    }
  }

  /** The present rows. Rejects when they are unreachable. */
  async stored(endpointIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const since = new Map<string, number>();
    for (const found of await this.readModels.getMany(ENDPOINT_HEALTH.name, endpointIds)) {
      const { failingSince = null } = (found?.row ?? {}) as Partial<EndpointHealthRow>;
      if (found && failingSince !== null) since.set(found.id, failingSince);
    }
    return since;
  }
}
