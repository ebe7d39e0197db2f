import { Injectable } from '@nestjs/common';
import { inTime } from '@kit/time';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { SKIPPED_EVENTS_RETRY, type RetryParameters } from '../../skipped-events/retry-skipped-event.handler.js';
import { SkipRecorder } from '../../skipped-events/skip-recorder.js';
import { SkippedEventDirectory } from '../../skipped-events/skipped-event-directory.js';
import type { RunningTask, TaskKind, TaskStep } from '../../tasks/task-kind.js';
import { HostedComponents } from './hosted-components.js';

const TOLD_EVERY_MS = 500;
const NOTHING: TaskStep = { examined: 0, matched: 0, created: 0, skipped: {}, cursor: null };

/** Applies a skipped event anew, where projections and reactors run. */
@Injectable()
export class SkippedEventRetryTask implements TaskKind {
  readonly name = SKIPPED_EVENTS_RETRY;
  readonly initial = { skipped: { still_fails: 0 }, details: {} };

  constructor(
    private readonly components: HostedComponents,
    private readonly directory: SkippedEventDirectory,
    private readonly skips: SkipRecorder,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async *steps(task: RunningTask, signal: AbortSignal): AsyncGenerator<TaskStep> {
    const { component, position } = task.parameters as unknown as RetryParameters;
    const retrying = this.retry(component, position, task.id, signal);
    const ended = retrying.then(() => true);
    while (!(await inTime(this.clock, TOLD_EVERY_MS, ended, () => false))) yield { ...NOTHING, total: 1 };
    const isResolved = (await this.directory.load(component)).unresolved[position] === undefined;
    const outcome = isResolved ? { matched: 1, skipped: {} } : { matched: 0, skipped: { still_fails: 1 } };
    yield { examined: 1, created: await retrying, ...outcome, total: 1, cursor: position };
  }

  /** Resolves to how many rows were made. */
  private async retry(component: string, position: string, taskId: string, signal: AbortSignal): Promise<number> {
    const skipped = (await this.directory.load(component)).unresolved[position];
    if (!skipped) return 0;
    const { stream, revision, rows } = skipped;
    const [record] = await this.store.read(stream, { from: revision, limit: 1 });
    if (record) return this.components.retry(component, { record, rows, taskId }, signal);
    // Its stream was dropped: nothing can lack it any more.
    await this.skips.resolve(component, [position], taskId);
    return 0;
  }
}
