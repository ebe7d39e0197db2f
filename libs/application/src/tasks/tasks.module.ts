import { Module } from '@nestjs/common';
import { ListsModule } from '../read-models/lists.module.js';
import { StreamsModule } from '../streams/streams.module.js';
import { ExpiredTasksReactor } from './expired-tasks.reactor.js';
import { TaskDirectory } from './task-directory.js';
import { CancelTaskHandler, GetTaskHandler } from './task.handlers.js';
import { TaskRetentionSweeper } from './task-retention.sweeper.js';

@Module({
  imports: [StreamsModule, ListsModule],
  providers: [TaskDirectory, CancelTaskHandler, GetTaskHandler, TaskRetentionSweeper, ExpiredTasksReactor],
  exports: [TaskDirectory, TaskRetentionSweeper, ExpiredTasksReactor],
})
export class TasksModule {}
