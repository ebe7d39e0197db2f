import { Command } from '@nestjs/cqrs';
import type { Task } from '@domain/task/task';
import type { RequestContext } from '../../runtime/request-context.js';

/**
 * Makes the rows of read models anew, beside the live ones. Resolves to the task: an open one that covers the names, else a new one,
 * which waits for those before it. Refuses with `resource_missing` where there is no such read model.
 */
export class RebuildProjections extends Command<Task> {
  constructor(
    readonly context: RequestContext,
    /** Null for all. */
    readonly names: readonly string[] | null,
  ) {
    super();
  }
}
