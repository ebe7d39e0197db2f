import { Injectable } from '@nestjs/common';
import { NO_DELIVERY } from '@domain/delivery/bulk-replay';
import { expiredUpTo } from '@domain/event/event-window';
import { timeOfId } from '@domain/kernel/ids';
import type { RunningTask, TaskKind, TaskStep } from '../../tasks/task-kind.js';
import { NOTHING } from './bulk-plan.js';
import { NO_SKIPS } from './bulk-progress.js';
import { BulkResending } from './bulk-resending.js';
import { BulkWork } from './bulk-work.js';
import { ENDPOINT_RECONCILE, parametersOf, spanOf, type ReconcileParameters, type Span } from './endpoint-parameters.js';
import type { RowSelection } from './matched-rows.js';
import { PastEndpoints } from './past-endpoints.js';
import { eventItems, eventSelection, WantedEvents, type EventItem, type EventPage } from './wanted-events.js';

const MAX_UNKNOWN_IDS = 20;
const TERMS = { match: NO_DELIVERY, skipRecovered: false, lacking: 'open_delivery' } as const;

/** What a task compares. */
interface Comparison {
  readonly span: Span;
  readonly selection: RowSelection;
  readonly received: ReadonlySet<string>;
  /** Whether the event came after the endpoint was registered. */
  readonly isLater: (stored: EventPage[number]) => boolean;
}

/** Sends the events that an endpoint was to get and its owner has not, unless they are on their way. */
@Injectable()
export class EndpointReconcileTask implements TaskKind {
  readonly name = ENDPOINT_RECONCILE;
  readonly initial = { skipped: NO_SKIPS, details: { expected: 0, missing: 0, unknown: { count: 0, ids: [] } } };

  constructor(
    private readonly events: WantedEvents,
    private readonly endpoints: PastEndpoints,
    private readonly resending: BulkResending,
    private readonly work: BulkWork,
  ) {}

  async *steps(task: RunningTask, signal: AbortSignal): AsyncGenerator<TaskStep> {
    const comparison = await this.comparisonOf(task);
    const plan = {
      items: (cursor: string | null) => this.items(task, comparison, cursor),
      work: (item: EventItem) => this.resending.each(task, TERMS, item),
      counting: this.compare(task, comparison, signal),
    };
    let { matched: missing, details } = task.progress;
    for await (const step of this.work.steps(task, plan, signal)) {
      missing += step.matched;
      details = { ...details, ...step.details, missing };
      const isNothing = step.examined === 0 && step.details === undefined;
      yield isNothing ? step : { ...step, details };
    }
  }

  /** The fate of events older than the window is unknown: they count as outside the time. */
  private async comparisonOf({ projectId, endpointId, startedAt, ids = [], ...task }: RunningTask): Promise<Comparison> {
    const span = spanOf(parametersOf<ReconcileParameters>(task), startedAt);
    const inWindow = { ...span, from: Math.max(span.from, expiredUpTo(startedAt) + 1) };
    const endpoints = await this.endpoints.at(projectId ?? '', startedAt);
    const registration = await this.endpoints.registrationOf(projectId ?? '', endpointId ?? '');
    return {
      span: inWindow,
      selection: eventSelection(endpoints, endpointId ?? '', inWindow),
      received: new Set(ids),
      isLater: ({ sortId }) => registration !== null && sortId > registration,
    };
  }

  private async *compare(
    task: RunningTask,
    { span: { from, before }, selection, received, isLater }: Comparison,
    signal: AbortSignal,
  ): AsyncGenerator<TaskStep> {
    const { cursor } = task;
    const unknown = new Set([...received].filter((id) => timeOfId(id) >= from && timeOfId(id) < before));
    let [expected, total] = [0, 0];
    for await (const page of this.events.pages(task, selection, null)) {
      for (const { id } of page.filter(isLater)) {
        expected += 1;
        if (!unknown.delete(id)) total += 1;
      }
      if (signal.aborted) return;
      yield { ...NOTHING, cursor };
    }
    const ids = [...unknown].slice(0, MAX_UNKNOWN_IDS);
    yield { ...NOTHING, cursor, total, details: { expected, unknown: { count: unknown.size, ids } } };
  }

  private async *items(task: RunningTask, { selection, received, isLater }: Comparison, cursor: string | null) {
    for await (const page of this.events.pages(task, selection, cursor))
      yield eventItems(page, task.endpointId ?? '', (stored) => isLater(stored) && !received.has(stored.id));
  }
}
