import { Injectable } from '@nestjs/common';
import { Clock, pause } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import { ReadModels, type DueKey, type StoredRow } from '@ports/read-models.port';
import { duePage } from '../read-models/due-page.js';
import { FreshRows } from '../read-models/fresh-rows.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { deliveriesProjection, pointerTo, type DeliveryRow } from './deliveries.projection.js';
import type { DeliveryPointer } from './delivery-pointer.js';

type DueField = 'wakeAt' | 'lostAt' | 'waitsSince' | 'claimedAt' | 'retireAt';

/** Read models that fell behind a flood of events mostly catch up within this. */
const ROWS_MS = 120_000;

export interface DuePointers {
  readonly pointers: readonly DeliveryPointer[];
  /** Where the next page begins; null when there is none. */
  readonly next: DueKey | null;
}

const { name } = deliveriesProjection.schema;

/** Finds deliveries by their rows. Rows may lag behind: the stream decides whether an attempt is made. */
@Injectable()
export class DueDeliveries {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly clock: Clock,
  ) {}

  /** Waits up to two seconds until the rows show everything stored so far; whether they do. */
  areFresh(): Promise<boolean> {
    return this.fresh.caughtUp(deliveriesProjection);
  }

  /** Waits up to two minutes for the same, or until the signal aborts. */
  async areFreshAtLast(signal: AbortSignal): Promise<boolean> {
    const over = new LinkedAbort(signal);
    const tooLong = pause(this.clock, ROWS_MS, over.signal).then(() => false);
    try {
      return await Promise.race([this.fresh.caughtUp(deliveriesProjection, ROWS_MS), tooLong]);
    } finally {
      over.abort();
      over.unlink();
    }
  }

  /** What is due for the endpoint of this pointer, oldest first. Rejects when the rows do not catch up in time. */
  async dueFor({ projectId, endpointId }: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    mustBeFresh(await this.fresh.caughtUp(deliveriesProjection, ROWS_MS));
    const rows = await this.readModels.page(name, {
      projectId,
      filter: [
        [
          { field: 'waitsFor', op: 'eq', value: endpointId },
          { field: 'wakeAt', op: 'lte', value: this.clock.now() },
        ],
      ],
      order: 'asc',
      limit,
    });
    return (rows as readonly StoredRow<DeliveryRow>[]).map(pointerTo);
  }

  /** What waits for an endpoint, due or not, and was scheduled before this position. Rejects when the rows do not catch up in time. */
  async waitingFor(
    { projectId, endpointId }: Pick<DeliveryPointer, 'projectId' | 'endpointId'>,
    before: Position,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly DeliveryPointer[]> {
    mustBeFresh(await this.areFreshAtLast(signal));
    const filter = [[{ field: 'waitsFor', op: 'eq', value: endpointId } as const]];
    const rows = await this.readModels.page(name, { projectId, filter, order: 'asc', limit });
    return (rows as readonly StoredRow<DeliveryRow>[]).filter(({ sortId }) => sortId < before).map(pointerTo);
  }

  /**
   * A page of all projects' deliveries whose `field` is not after `upTo`: those with the smallest, beginning after `after`, in the
   * order of their events.
   */
  async dueBy(field: DueField, upTo: number, limit: number, after: DueKey | null = null): Promise<DuePointers> {
    const { rows, next } = await duePage<DeliveryRow>(this.readModels, [name, field], upTo, limit, after);
    const inOrder = rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.sortId < b.sortId ? -1 : 1));
    return { pointers: inOrder.map(pointerTo), next };
  }
}

/** Late rows may show thousands of finished deliveries as due: each would cost a claim that is refused. */
function mustBeFresh(areFresh: boolean): void {
  if (!areFresh) throw new Error(`${name} are late`);
}
