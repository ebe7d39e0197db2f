import { Injectable } from '@nestjs/common';
import { Clock, pause } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import { ReadModels, type DueKey, type SortKey, type StoredRow } from '@ports/read-models.port';
import { duePage } from '../read-models/due-page.js';
import { FreshRows } from '../read-models/fresh-rows.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { deliveriesProjection, pointerTo, resumptionOf, type DeliveryRow } from './deliveries.projection.js';
import { lineOf, linesOf, type DeliveryPointer } from './delivery-pointer.js';

type DueField = 'wakeAt' | 'lostAt' | 'waitsSince' | 'claimedAt' | 'retireAt';

type Target = Pick<DeliveryPointer, 'projectId' | 'endpointId'>;

const PAGE = 500;

/** Read models that a flood of events delays mostly catch up within this. */
const ROWS_MS = 120_000;

export interface DuePointers {
  readonly pointers: readonly DeliveryPointer[];
  readonly next: DueKey | null;
}

const { name } = deliveriesProjection.schema;

/** Finds deliveries by their rows. Rows may lag: the stream decides whether an attempt is made. */
@Injectable()
export class DueDeliveries {
  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly clock: Clock,
  ) {}

  /** Waits up to two seconds for the rows to show everything stored so far; returns whether they do. */
  areFresh(): Promise<boolean> {
    return this.fresh.caughtUp(deliveriesProjection);
  }

  /** Like `areFresh`, for up to two minutes or until the signal aborts. */
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

  /** Due deliveries of the pointer's line, oldest first. Rejects when the rows do not catch up in time. */
  async dueFor(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    mustBeFresh(await this.fresh.caughtUp(deliveriesProjection, ROWS_MS));
    const rows = await this.readModels.page(name, {
      projectId: pointer.projectId,
      filter: [
        [
          { field: 'waitsFor', op: 'eq', value: lineOf(pointer) },
          { field: 'wakeAt', op: 'lte', value: this.clock.now() },
        ],
      ],
      order: 'asc',
      limit,
    });
    return (rows as readonly StoredRow<DeliveryRow>[]).map(pointerTo);
  }

  /**
   * Deliveries that wait for an endpoint, or for its resumption, and were scheduled before this position. Rejects when the rows do
   * not catch up in time.
   */
  async waitingFor(
    { projectId, endpointId }: Target,
    before: Position,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly DeliveryPointer[]> {
    mustBeFresh(await this.areFreshAtLast(signal));
    const filter = [[{ field: 'waitsFor', op: 'in', value: [...linesOf(endpointId), resumptionOf(endpointId)] } as const]];
    const rows = await this.readModels.page(name, { projectId, filter, order: 'asc', limit });
    return (rows as readonly StoredRow<DeliveryRow>[]).filter(({ sortId }) => sortId < before).map(pointerTo);
  }

  /**
   * Pages of what waits for an endpoint (`isPaused`: for its resumption) by now, in the order of the events, however much of it goes
   * on meanwhile. Rejects when the rows do not catch up in time.
   */
  async *waitingPages(
    { projectId, endpointId }: Target,
    isPaused: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<readonly DeliveryPointer[]> {
    mustBeFresh(await this.areFreshAtLast(signal));
    const value = isPaused ? [resumptionOf(endpointId)] : linesOf(endpointId);
    const query = { projectId, filter: [[{ field: 'waitsFor', op: 'in', value } as const]], order: 'asc', limit: PAGE } as const;
    for (let after: SortKey | undefined, size = PAGE; size === PAGE;) {
      signal.throwIfAborted();
      const rows = await this.readModels.page(name, { ...query, ...(after && { after }) });
      yield (rows as readonly StoredRow<DeliveryRow>[]).map(pointerTo);
      [after, size] = [rows.at(-1), rows.length];
    }
  }

  /** Of all projects: those whose `field` has the smallest values up to `upTo`, in the order of their events. */
  async dueBy(field: DueField, upTo: number, limit: number, after: DueKey | null = null): Promise<DuePointers> {
    const { rows, next } = await duePage<DeliveryRow>(this.readModels, [name, field], upTo, limit, after);
    const inOrder = rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.sortId < b.sortId ? -1 : 1));
    return { pointers: inOrder.map(pointerTo), next };
  }
}

/** Stale rows may show thousands of finished deliveries as due; each would cost a claim that is refused. */
function mustBeFresh(areFresh: boolean): void {
  if (!areFresh) throw new Error(`${name} are late`);
}
