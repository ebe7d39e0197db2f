import { Injectable } from '@nestjs/common';
import { DELIVERY_STATUSES, isFinished, type DeliveryStatus } from '@domain/delivery/delivery';
import { ReadModels, type Condition, type SortKey, type StoredRow } from '@ports/read-models.port';
import { deliveriesProjection, endpointStatus, type DeliveryRow } from '../deliveries.projection.js';

const OPEN_STATUSES = DELIVERY_STATUSES.filter((status) => !isFinished({ status }));
/** Open tests are few. */
const ROWS_AT_ONCE = 16;

/** Finds the oldest delivery that is not finished, tests aside, by one index per status. */
@Injectable()
export class OldestPending {
  constructor(private readonly readModels: ReadModels) {}

  /** When it was scheduled; null if all are finished. Of all the project's deliveries without an endpoint. */
  async createdAt(projectId: string, endpointId: string | null): Promise<number | null> {
    const found = await Promise.all(OPEN_STATUSES.map((status) => this.oldestIn(projectId, inStatus(status, endpointId))));
    const times = found.filter((at) => at !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  private async oldestIn(projectId: string, condition: Condition): Promise<number | null> {
    let after: SortKey | undefined;
    for (;;) {
      const query = { projectId, filter: [[condition]], order: 'asc', limit: ROWS_AT_ONCE, ...(after && { after }) } as const;
      const rows = (await this.readModels.page(deliveriesProjection.schema.name, query)) as readonly StoredRow<DeliveryRow>[];
      const first = rows.find(({ row }) => row.trigger !== 'test');
      if (first) return first.createdAt;
      if (rows.length < ROWS_AT_ONCE) return null;
      after = rows.at(-1);
    }
  }
}

function inStatus(status: DeliveryStatus, endpointId: string | null): Condition {
  if (endpointId === null) return { field: 'status', op: 'eq', value: status };
  return { field: 'endpointStatus', op: 'eq', value: endpointStatus(endpointId, status) };
}
