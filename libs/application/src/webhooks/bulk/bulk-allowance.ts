import { Injectable } from '@nestjs/common';
import { ReadModels } from '@ports/read-models.port';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { deliveriesProjection, endpointStatus } from '../deliveries.projection.js';

/** Fresh deliveries of work in bulk that wait for their first attempt, at an endpoint. */
const MAX_UNATTEMPTED = 500;
const REACH = 5_000;
const { name } = deliveriesProjection.schema;

/** How many more an endpoint may get, as of its rows. */
@Injectable()
export class BulkAllowance {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
  ) {}

  /** 0 where the rows are late: what was just made would not be counted. */
  async of(projectId: string, endpointId: string): Promise<number> {
    if (!(await this.fresh.caughtUp(deliveriesProjection))) return 0;
    const { rows } = await this.readModels.look(name, {
      projectId,
      by: { field: 'endpointStatus', op: 'eq', value: endpointStatus(endpointId, 'pending') },
      filter: [{ field: 'trigger', op: 'eq', value: 'bulk_replay' }],
      order: 'desc',
      limit: MAX_UNATTEMPTED,
      reach: REACH,
    });
    return MAX_UNATTEMPTED - rows.length;
  }
}
