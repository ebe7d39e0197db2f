import { Injectable } from '@nestjs/common';
import { Clock, pause } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import { ReadModels, type DueKey, type StoredRow } from '@ports/read-models.port';
import { duePage } from '../read-models/due-page.js';
import { FreshRows } from '../read-models/fresh-rows.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { deliveriesProjection, pointerTo, type DeliveryRow } from './deliveries.projection.js';
import type { DeliveryPointer } from './delivery-pointer.js';

type DueField = 'wakeAt' | 'lostAt' | 'claimedAt' | 'retireAt';

/** Rows that a flood has left behind mostly catch up within this. */
const ROWS_MS = 120_000;

export interface DuePointers {
  readonly pointers: readonly DeliveryPointer[];
  /** Where to go on; null when there is no more. */
  readonly next: DueKey | null;
}

const { name } = deliveriesProjection.schema;

/** Finds deliveries by their rows. Rows may lag behind: who takes one up is told by the stream. */
@Injectable()
export class DueDeliveries {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly clock: Clock,
  ) {}

  /** Whether the rows show everything that was stored so far; waits a moment for it. */
  areFresh(): Promise<boolean> {
    return this.fresh.caughtUp(name);
  }

  /** The same for those who have time; they wait no longer when the signal aborts. */
  async areFreshAtLast(signal: AbortSignal): Promise<boolean> {
    const over = new LinkedAbort(signal);
    const tooLong = pause(this.clock, ROWS_MS, over.signal).then(() => false);
    try {
      return await Promise.race([this.fresh.caughtUp(name, ROWS_MS), tooLong]);
    } finally {
      over.abort();
      over.unlink();
    }
  }

  /** What is due for the endpoint of this pointer, oldest first, with all that was scheduled so far. Rejects when rows stay behind. */
  async dueFor({ projectId, endpointId }: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    mustBeFresh(await this.fresh.caughtUp(name, ROWS_MS));
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

  /** What still waits for an endpoint, due or not, of all that was scheduled before this position. Rejects when rows stay behind. */
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

  /** A page of all projects' deliveries whose `field` has come, smallest first, beyond `after`. */
  async dueBy(field: DueField, upTo: number, limit: number, after: DueKey | null = null): Promise<DuePointers> {
    const { rows, next } = await duePage<DeliveryRow>(this.readModels, [name, field], upTo, limit, after);
    return { pointers: rows.map(pointerTo), next };
  }
}

/** Rows that are behind show thousands of deliveries that are made already: each would be taken up in vain. */
function mustBeFresh(areFresh: boolean): void {
  if (!areFresh) throw new Error(`${name} are late`);
}
