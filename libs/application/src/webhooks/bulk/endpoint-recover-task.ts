import { Injectable } from '@nestjs/common';
import type { RunningTask, TaskKind, TaskStep } from '../../tasks/task-kind.js';
import { NO_SKIPS } from './bulk-progress.js';
import { ENDPOINT_RECOVER, parametersOf, recoverySelection, spanOf, type RecoverParameters } from './endpoint-parameters.js';
import { SelectedDeliveries } from './selected-deliveries.js';

/** Replays what failed at an endpoint, and what was cancelled since it was disabled. */
@Injectable()
export class EndpointRecoverTask implements TaskKind {
  readonly name = ENDPOINT_RECOVER;
  readonly initial = { skipped: NO_SKIPS, details: {} };

  constructor(private readonly selected: SelectedDeliveries) {}

  steps(task: RunningTask, signal: AbortSignal): AsyncIterable<TaskStep> {
    const { startedAt, endpointId } = task;
    const parameters = parametersOf<RecoverParameters>(task);
    const selection = recoverySelection(endpointId ?? '', spanOf(parameters, startedAt), startedAt);
    return this.selected.steps(task, { selection }, { mode: parameters.mode, skipRecovered: true }, signal);
  }
}
