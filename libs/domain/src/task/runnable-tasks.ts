import type { Task } from './task.js';

export interface OpenTask extends Pick<Task, 'id' | 'endpointId' | 'dryRun' | 'createdAt'> {
  /** The project, or its substitute. */
  readonly owner: string;
  readonly isRunning: boolean;
}

/**
 * Those that may run now, the running ones included. One runs for an endpoint at a time, and one over a whole project runs alone in
 * it; others wait in the order of their creation. Dry runs wait for no other task, and no other waits for them.
 */
export function runnableTasks<Open extends OpenTask>(open: readonly Open[]): readonly Open[] {
  const before = new Map<string, Ahead>();
  return open.toSorted(inTurn).filter((task) => {
    if (task.dryRun) return true;
    const ahead = before.get(task.owner) ?? { isAny: false, isWhole: false, endpointIds: new Set<string>() };
    const waits = task.endpointId === null ? ahead.isAny : ahead.isWhole || ahead.endpointIds.has(task.endpointId);
    before.set(task.owner, behind(ahead, task));
    return task.isRunning || !waits;
  });
}

interface Ahead {
  readonly isAny: boolean;
  readonly isWhole: boolean;
  readonly endpointIds: ReadonlySet<string>;
}

function behind({ isWhole, endpointIds }: Ahead, { endpointId }: OpenTask): Ahead {
  if (endpointId === null) return { isAny: true, isWhole: true, endpointIds };
  return { isAny: true, isWhole, endpointIds: new Set([...endpointIds, endpointId]) };
}

function inTurn(one: OpenTask, other: OpenTask): number {
  if (one.isRunning !== other.isRunning) return one.isRunning ? -1 : 1;
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}
