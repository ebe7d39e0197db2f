import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Task } from '@domain/task/task';
import { TaskDirectory } from './task-directory.js';
import { CancelTask, GetTask } from './task.commands.js';

@CommandHandler(CancelTask)
export class CancelTaskHandler implements ICommandHandler<CancelTask> {
  constructor(private readonly tasks: TaskDirectory) {}

  execute({ context, projectId, taskId }: CancelTask): Promise<Task> {
    return this.tasks.cancel(projectId, taskId, context.envelope);
  }
}

@QueryHandler(GetTask)
export class GetTaskHandler implements IQueryHandler<GetTask> {
  constructor(private readonly tasks: TaskDirectory) {}

  execute({ projectId, taskId }: GetTask): Promise<Task> {
    return this.tasks.load(projectId, taskId);
  }
}
