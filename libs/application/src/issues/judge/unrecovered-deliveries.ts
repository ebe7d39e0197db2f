import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DELIVERY_TRIGGERS } from '@domain/delivery/delivery.events';
import { EVENT_WINDOW_MS, isExpired } from '@domain/event/event-window';
import { timeOfId } from '@domain/kernel/ids';
import { ReadModels, type Condition, type SortKey, type StoredRow } from '@ports/read-models.port';
import { deliveriesProjection, endpointStatus, type DeliveryRow } from '../../webhooks/deliveries.projection.js';
import { DeliveryStreams } from '../../webhooks/delivery-streams.js';

interface OneEndpoint {
  readonly projectId: string;
  readonly endpointId: string;
}

/** Whether any has not recovered; else since when the last has. */
export type Recovery = { readonly isOver: false } | { readonly isOver: true; readonly since: number };

/** Up to where all failed deliveries have recovered, and since when, as of the latest failure. */
interface Looked {
  readonly failedAt: number | null;
  readonly upTo: SortKey | undefined;
  readonly since: number;
}

const NO_TESTS = DELIVERY_TRIGGERS.filter((trigger) => trigger !== 'test');
const PAGE = 100;
const PAGES_AT_ONCE = 5;
const ENDPOINTS_REMEMBERED = 10_000;

/** Deliveries that failed for good, of events younger than 30 days that have not succeeded at the endpoint since. */
@Injectable()
export class UnrecoveredDeliveries {
  private readonly looked = new LRUCache<string, Looked>({ max: ENDPOINTS_REMEMBERED });

  constructor(
    private readonly readModels: ReadModels,
    private readonly streams: DeliveryStreams,
  ) {}

  /**
   * Null where more has to be looked through: ask again. What was found recovered is not looked at again until something fails for good
   * later than at `failedAt`.
   */
  async recovery(endpoint: OneEndpoint, failedAt: number | null, now: number): Promise<Recovery | null> {
    const before = this.looked.get(endpoint.endpointId);
    let { upTo, since } = before?.failedAt === failedAt ? before : { upTo: undefined, since: 0 };
    for (let pages = 0; pages < PAGES_AT_ONCE; pages++) {
      const rows = await this.failed(endpoint, PAGE, upTo);
      for (const row of rows) {
        const overAt = await this.overAt(row, now);
        if (overAt === null) return { isOver: false };
        [upTo, since] = [{ createdAt: row.createdAt, sortId: row.sortId }, Math.max(since, overAt)];
        this.looked.set(endpoint.endpointId, { failedAt, upTo, since });
      }
      if (rows.length < PAGE) return { isOver: true, since };
    }
    return null;
  }

  /** Whether any has failed, recovered or not; tests aside. */
  async anyFailed(endpoint: OneEndpoint): Promise<boolean> {
    return (await this.failed(endpoint, 1)).length > 0;
  }

  private async failed(
    { projectId, endpointId }: OneEndpoint,
    limit: number,
    after?: SortKey,
  ): Promise<readonly StoredRow<DeliveryRow>[]> {
    const value = endpointStatus(endpointId, 'failed');
    const failed: Condition = { field: 'endpointStatus' satisfies keyof DeliveryRow, op: 'eq', value };
    const filter = [[failed, { field: 'trigger' satisfies keyof DeliveryRow, op: 'in', value: NO_TESTS } as const]];
    const query = { projectId, filter, order: 'asc', limit, ...(after && { after }) } as const;
    return (await this.readModels.page(deliveriesProjection.schema.name, query)) as readonly StoredRow<DeliveryRow>[];
  }

  /** When it succeeded by another delivery, or its event expired; null before. */
  private async overAt({ row }: StoredRow<DeliveryRow>, now: number): Promise<number | null> {
    const { eventId, endpointId, completedAt } = row;
    const emittedAt = timeOfId(eventId);
    if (isExpired(emittedAt, now)) return emittedAt + EVENT_WINDOW_MS;
    const { deliveries } = await this.streams.load(eventId);
    const successes = deliveries.filter((other) => other.endpointId === endpointId && other.status === 'succeeded');
    const later = successes.map((other) => other.completedAt ?? 0).filter((at) => at >= (completedAt ?? 0));
    return later.length > 0 ? Math.min(...later) : null;
  }
}
