import { Command, Query } from '@nestjs/cqrs';
import type { Task } from '@domain/task/task';
import type { CommandOrigin } from '../runtime/request-context.js';

/** Stops what is not done yet; does nothing to a task that is over. Refuses with `resource_missing`. */
export class CancelTask extends Command<Task> {
  constructor(
    readonly context: CommandOrigin,
    /** Null for a task of no project. */
    readonly projectId: string | null,
    readonly taskId: string,
  ) {
    super();
  }
}

export class GetTask extends Query<Task> {
  constructor(
    readonly projectId: string | null,
    readonly taskId: string,
  ) {
    super();
  }
}
