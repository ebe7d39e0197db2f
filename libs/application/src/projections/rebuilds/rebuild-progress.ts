import type { Task } from '@domain/task/task';

export const PROJECTIONS_REBUILD = 'projections.rebuild';

/** How far the rebuild of one read model has come, as answers show it. */
export interface RebuildProgress {
  /** How much of the log has been read. */
  readonly percent: number;
  /** How many it has made; null while it is under way. */
  readonly rows: number | null;
  readonly started_at: string;
  /** Null while it is under way. */
  readonly completed_at: string | null;
}

export type RebuildsByName = Readonly<Record<string, RebuildProgress>>;

/** The names of the read models that a task makes anew, in order. */
export function namesOf({ parameters }: Pick<Task, 'parameters'>): readonly string[] {
  return (parameters as { readonly names: readonly string[] }).names;
}

/** Those that a task has begun. */
export function rebuildsOf({ progress }: Pick<Task, 'progress'>): RebuildsByName {
  return (progress?.details['projections'] ?? {}) as RebuildsByName;
}
