import { Command } from '@nestjs/cqrs';
import type { Task } from '@domain/task/task';
import type { RequestContext } from '../runtime/request-context.js';

/** Applies a skipped event with the present program, by a task. Refuses with `resource_missing` where it is not skipped any more. */
export class RetrySkippedEvent extends Command<Task> {
  constructor(
    readonly context: RequestContext,
    readonly skippedEventId: string,
  ) {
    super();
  }
}
