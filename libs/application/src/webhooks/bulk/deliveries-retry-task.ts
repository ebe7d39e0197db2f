import { Injectable } from '@nestjs/common';
import type { RunningTask, TaskKind, TaskStep } from '../../tasks/task-kind.js';
import { NO_SKIPS } from './bulk-progress.js';
import { retryParametersOf, selectionOf } from './retry-parameters.js';
import { SelectedDeliveries } from './selected-deliveries.js';

export const DELIVERIES_RETRY = 'deliveries.retry';

/** Replays the deliveries that match. */
@Injectable()
export class DeliveriesRetryTask implements TaskKind {
  readonly name = DELIVERIES_RETRY;
  readonly initial = { skipped: NO_SKIPS, details: {} };

  constructor(private readonly selected: SelectedDeliveries) {}

  steps(task: RunningTask, signal: AbortSignal): AsyncIterable<TaskStep> {
    const parameters = retryParametersOf(task);
    const { mode, skip_recovered: skipRecovered } = parameters;
    const selection = selectionOf(parameters, task.startedAt);
    const selectionAt = (endpoint_id: string) => selectionOf({ ...parameters, endpoint_id }, task.startedAt);
    const selected = task.endpointId === null ? { selection, selectionAt } : { selection };
    return this.selected.steps(task, selected, { mode, skipRecovered }, signal);
  }
}
