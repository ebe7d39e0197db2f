import { isOver, retireAt, type Task } from '@domain/task/task';
import { taskDecider } from '@domain/task/task.decider';
import type { TaskEvent } from '@domain/task/task.events';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';
import { ownerOf, taskStream } from './task-directory.js';

export interface TaskRow extends Omit<Task, 'id' | 'ids'> {
  /** Since when it is open; null once it is over. */
  readonly openSince: number | null;
  /** When it is dropped; null while it is open. */
  readonly retireAt: number | null;
}

export const tasksProjection: Projection<TaskEvent, TaskRow> = {
  schema: {
    name: 'tasks',
    version: 1,
    filterFields: ['kind', 'status', 'endpointId'],
    dueFields: ['openSince', 'retireAt'],
  },
  columns: {
    projectId: { type: 'text', meaning: 'Whose task it is; null for the work of an operator.' },
    kind: { type: 'text', meaning: 'What is done.' },
    status: { type: 'text', meaning: 'How it stands.' },
    endpointId: { type: 'text', name: 'webhook_endpoint_id', meaning: 'The endpoint that it is about; null for none.' },
    dryRun: { type: 'boolean', meaning: 'Whether it only counts what it would do.' },
    parameters: { type: 'json', meaning: 'What was asked for, defaults filled in.' },
    progress: { type: 'json', meaning: 'How far it has come, and what came of it so far; null while it is pending.' },
    error: { type: 'json', meaning: 'Why it failed; null unless it did.' },
    createdAt: { type: 'time', meaning: 'When it was asked for.' },
    startedAt: { type: 'time', meaning: 'When it began; null before.' },
    completedAt: { type: 'time', meaning: 'When it was over; null before.' },
    cursor: { leftOut: 'Where a process goes on; its form is the own of each kind.' },
    advancedAt: { leftOut: 'When the cursor was stored.' },
    expired: { leftOut: 'As `deleted`.' },
    openSince: { leftOut: 'An index: `created_at` while the task is open.' },
    retireAt: { leftOut: 'An index: 30 days after `completed_at`.' },
  },
  idKind: 'task',
  categories: ['task'],
  rowIds: ({ stream }) => [idIn(stream)],
  begins: ({ event }) => event.type === 'TaskCreated',
  streamsOf: (_, id) => [taskStream(id)],
  project(before, { event, stream }) {
    const id = idIn(stream);
    const task = taskDecider.evolve(before && taskIn({ id, row: before.row }), event);
    if (!task) return null;
    const { projectId, createdAt, expired } = task;
    return { projectId: ownerOf(projectId), createdAt, deleted: expired, row: toRow(task) };
  },
};

export function taskIn({ id, row }: { readonly id: string; readonly row: TaskRow }): Task {
  const { openSince: _open, retireAt: _retire, ...task } = row;
  return { id, ...task };
}

function toRow({ id: _id, ids: _ids, ...task }: Task): TaskRow {
  return { ...task, openSince: isOver(task) ? null : task.createdAt, retireAt: task.expired ? null : retireAt(task) };
}
