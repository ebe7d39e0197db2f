import { pause } from '@ports/clock.port';
import type { AdminSession } from '../service/admin-session.js';
import type { Workbench } from '../workbench.js';

export interface ServiceTask {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly created_at: string;
  readonly error: { readonly message: string } | null;
}

export const TASKS = '/admin/v1/tasks';

const LOOK_EVERY_MS = 500;

/** Waits for a task, and calls back whenever it was looked at. Rejects where the task did not do its work. */
export async function finishedTask<Task extends ServiceTask>(
  { signal, clock }: Workbench,
  session: AdminSession,
  { id }: Task,
  onLook: (task: Task) => Promise<void> = () => Promise.resolve(),
): Promise<Task> {
  for (;;) {
    const task = await session.get<Task>(`${TASKS}/${id}`, signal);
    await onLook(task);
    if (task.status === 'completed') return task;
    if (task.status === 'failed') throw new Error(`Task ${id} was given up: ${task.error?.message}`);
    if (task.status === 'cancelled') throw new Error(`Task ${id} was cancelled.`);
    await pause(clock, LOOK_EVERY_MS, signal);
    signal.throwIfAborted();
  }
}
