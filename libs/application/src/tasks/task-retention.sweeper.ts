import { Injectable } from '@nestjs/common';
import type { Envelope } from '@domain/kernel/envelope';
import { ReadModels } from '@ports/read-models.port';
import { changeOrphanedRow } from '../read-models/orphaned-row.js';
import { dueIds, workThrough } from '../read-models/work-through.js';
import { TrustedTime } from '../runtime/log-time.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { TaskDirectory } from './task-directory.js';
import { tasksProjection, type TaskRow } from './tasks.projection.js';

const EVERY_MS = 600_000;
const { name } = tasksProjection.schema;
const DUE = [name, 'retireAt' satisfies keyof TaskRow] as const;

/** Expires tasks that were over thirty days ago. `ExpiredTasksReactor` then drops their streams. */
@Injectable()
export class TaskRetentionSweeper implements Sweeper {
  readonly name = 'task-retention';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly readModels: ReadModels,
    private readonly tasks: TaskDirectory,
    private readonly time: TrustedTime,
  ) {}

  async sweep(_: number, signal: AbortSignal, round: Envelope): Promise<void> {
    const due = dueIds(this.readModels, DUE, this.time.now());
    const failures = await workThrough(due, (id) => this.expire(id, round), signal);
    if (failures.length > 0) throw failures[0];
  }

  private async expire(taskId: string, round: Envelope): Promise<void> {
    const task = await this.tasks.run(taskId, () => ({ type: 'ExpireTask', at: this.time.now() }), round);
    if (!task) await changeOrphanedRow(this.readModels, name, taskId, (row) => ({ ...row, deleted: true }));
  }
}
