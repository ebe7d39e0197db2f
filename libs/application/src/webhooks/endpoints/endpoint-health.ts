import { Injectable } from '@nestjs/common';
import { isRetryableStoreError } from '@ports/event-store.port';
import { ReadModels } from '@ports/read-models.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection, ENDPOINT_HEALTH, type EndpointHealthRow } from '../deliveries.projection.js';

/** Since when endpoints fail, by the outcomes of their deliveries' attempts. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
  ) {}

  /**
   * By endpoint that fails: when the first attempt began that failed since its last success. Waits, as lists do, until the rows
   * show every attempt that was recorded before. Empty while the rows are out of reach: endpoints are not.
   */
  async failingSince(endpointIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    try {
      await this.fresh.caughtUp(deliveriesProjection);
      return await this.stored(endpointIds);
    } catch (error) {
      if (!isRetryableStoreError(error)) throw error;
      return new Map();
    }
  }

  /** As the rows show it now. Rejects when they are out of reach. */
  async stored(endpointIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const since = new Map<string, number>();
    for (const found of await this.readModels.getMany(ENDPOINT_HEALTH.name, endpointIds)) {
      const { failingSince = null } = (found?.row ?? {}) as Partial<EndpointHealthRow>;
      if (found && failingSince !== null) since.set(found.id, failingSince);
    }
    return since;
  }
}
