import { Injectable } from '@nestjs/common';
import type { DeliveryMatch } from '@domain/delivery/bulk-replay';
import type { StoredRow } from '@ports/read-models.port';
import type { RunningTask, TaskStep } from '../../tasks/task-kind.js';
import { deliveriesProjection, type DeliveryRow } from '../deliveries.projection.js';
import type { BulkItem } from './bulk-plan.js';
import type { BulkResult } from './bulk-progress.js';
import { BulkResending, type BulkCandidate } from './bulk-resending.js';
import { BulkWork } from './bulk-work.js';
import { cursorOf, MatchedRows } from './matched-rows.js';
import { PastEndpoints } from './past-endpoints.js';
import type { RetryMode, Selection } from './retry-parameters.js';

type Item = BulkItem & BulkCandidate;

/** Which deliveries a task is about; and those of one endpoint, unless it is about one. */
interface Selected {
  readonly selection: Selection;
  readonly selectionAt?: (endpointId: string) => Selection;
}

const { name } = deliveriesProjection.schema;

/** Replays selected deliveries, oldest first. */
@Injectable()
export class SelectedDeliveries {
  constructor(
    private readonly rows: MatchedRows,
    private readonly resending: BulkResending,
    private readonly endpoints: PastEndpoints,
    private readonly work: BulkWork,
  ) {}

  async *steps(
    task: RunningTask,
    { selection, selectionAt }: Selected,
    { mode, skipRecovered }: { readonly mode: RetryMode; readonly skipRecovered: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<TaskStep> {
    const terms = { match: selection.match, skipRecovered, lacking: null };
    const endpoints = mode === 'all' ? null : await this.endpoints.at(task.projectId ?? '', task.startedAt);
    const work = (item: Item): Promise<BulkResult> =>
      endpoints ? this.resending.newest(task, terms, endpoints, item) : this.resending.each(task, terms, item);
    const items = (cursor: string | null) => this.items(task, selection, cursor);
    const itemsAt = (endpointId: string, cursor: string | null) =>
      this.items(task, selectionAt?.(endpointId) ?? selection, cursor);
    yield* this.work.steps(task, { items, work, ...(selectionAt && { itemsAt }) }, signal);
  }

  private async *items({ projectId }: RunningTask, selection: Selection, cursor: string | null) {
    const pages = this.rows.pages<DeliveryRow>(name, projectId ?? '', selection, cursor);
    for await (const page of pages) {
      const candidates = page.filter((stored) => isCandidate(stored, selection.match));
      yield candidates.map((stored): Item => {
        const { eventId, endpointId, appointmentId } = stored.row;
        return { deliveryId: stored.id, eventId, endpointId, appointmentId, cursor: cursorOf(stored) };
      });
    }
  }
}

/** Of those cancelled that the task did not ask for, only the ones that it may have cancelled itself. */
function isCandidate({ row }: StoredRow<DeliveryRow>, { statuses, cancelReason }: DeliveryMatch): boolean {
  if (row.supersededBy !== null) return true;
  const isOfReason = row.cancelReason === null || cancelReason === null || row.cancelReason === cancelReason;
  return statuses.includes(row.status) && isOfReason;
}
