import { Injectable } from '@nestjs/common';
import { NO_DELIVERY } from '@domain/delivery/bulk-replay';
import type { RunningTask, TaskKind, TaskStep } from '../../tasks/task-kind.js';
import { NO_SKIPS, type BulkResult } from './bulk-progress.js';
import { BulkResending } from './bulk-resending.js';
import { BulkWork } from './bulk-work.js';
import { ENDPOINT_REPLAY_MISSING, parametersOf, spanOf, type ReplayMissingParameters } from './endpoint-parameters.js';
import { FirstDeliveries } from './first-deliveries.js';
import type { RowSelection } from './matched-rows.js';
import { PastEndpoints } from './past-endpoints.js';
import { eventItems, eventSelection, WantedEvents, type EventItem } from './wanted-events.js';

const TERMS = { match: NO_DELIVERY, skipRecovered: true, lacking: 'delivery' } as const;

/** Sends events that an endpoint wants and has no delivery of. */
@Injectable()
export class EndpointReplayMissingTask implements TaskKind {
  readonly name = ENDPOINT_REPLAY_MISSING;
  readonly initial = { skipped: NO_SKIPS, details: {} };

  constructor(
    private readonly events: WantedEvents,
    private readonly endpoints: PastEndpoints,
    private readonly resending: BulkResending,
    private readonly work: BulkWork,
    private readonly firsts: FirstDeliveries,
  ) {}

  async *steps(task: RunningTask, signal: AbortSignal): AsyncGenerator<TaskStep> {
    const { startedAt, projectId, endpointId } = task;
    const parameters = parametersOf<ReplayMissingParameters>(task);
    const endpoints = await this.endpoints.at(projectId ?? '', startedAt);
    const selection = eventSelection(endpoints, endpointId ?? '', spanOf(parameters, startedAt), parameters.event_types);
    const work = (item: EventItem): Promise<BulkResult> =>
      parameters.mode === 'latest' ? this.resending.newest(task, TERMS, endpoints, item) : this.resending.each(task, TERMS, item);
    yield* this.work.steps(task, { items: (cursor) => this.items(task, selection, cursor), work }, signal);
  }

  private async *items(task: RunningTask, selection: RowSelection, cursor: string | null) {
    const endpointId = task.endpointId ?? '';
    for await (const page of this.events.pages(task, selection, cursor)) {
      const delivered = await this.firsts.of(page, endpointId);
      yield eventItems(page, endpointId, ({ id }) => !delivered.has(id));
    }
  }
}
