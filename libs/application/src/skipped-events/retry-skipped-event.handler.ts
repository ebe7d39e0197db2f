import { CommandHandler, QueryBus, type ICommandHandler } from '@nestjs/cqrs';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import type { Task } from '@domain/task/task';
import { Ids } from '@ports/ids.port';
import { INSTALLATION } from '../projects/projects.projection.js';
import { GetRow } from '../read-models/get-row.query.js';
import { idFor } from '../runtime/request-context.js';
import { TaskDirectory } from '../tasks/task-directory.js';
import { SkippedEventDirectory } from './skipped-event-directory.js';
import { RetrySkippedEvent } from './skipped-event.commands.js';
import { skippedEventsProjection } from './skipped-events.projection.js';

export const SKIPPED_EVENTS_RETRY = 'skipped_events.retry';

/** Which skipped event a task is about. */
export interface RetryParameters {
  readonly skipped_event_id: string;
  readonly component: string;
  readonly position: string;
}

@CommandHandler(RetrySkippedEvent)
export class RetrySkippedEventHandler implements ICommandHandler<RetrySkippedEvent> {
  constructor(
    private readonly queries: QueryBus,
    private readonly directory: SkippedEventDirectory,
    private readonly tasks: TaskDirectory,
    private readonly ids: Ids,
  ) {}

  async execute({ context, skippedEventId }: RetrySkippedEvent): Promise<Task> {
    const taskId = idFor(this.ids, context, 'task', 'task');
    const made = context.isRetry ? await this.tasks.peek(taskId) : null;
    if (made) return made;
    const parameters = await this.parametersOf(skippedEventId);
    const about = { taskId, projectId: null, endpointId: null, dryRun: false };
    return this.tasks.create({ ...about, kind: SKIPPED_EVENTS_RETRY, parameters: { ...parameters } }, context);
  }

  private async parametersOf(id: string): Promise<RetryParameters> {
    const isKnown = isId('skippedEvent', id);
    const found = isKnown ? await this.queries.execute(new GetRow(skippedEventsProjection, INSTALLATION, id)) : null;
    const { component = '', position = '' } = found?.row ?? {};
    const { unresolved } = await this.directory.load(component);
    if (unresolved[position]?.id !== id) throw resourceMissing('skipped event');
    return { skipped_event_id: id, component, position };
  }
}
