export const TASK_STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface TaskDetails {
  readonly taskId: string;
  /** Null for the work of an operator. */
  readonly projectId: string | null;
  readonly kind: string;
  /** The endpoint that it is about; null for one over the whole project. */
  readonly endpointId: string | null;
  readonly dryRun: boolean;
  /** As in answers: as sent, with the defaults filled in, and the number of `ids` in their place. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A list of ids that was sent, which answers do not repeat. */
  readonly ids?: readonly string[];
}

/** How far a task has come and what came of it so far, all since its beginning. */
export interface TaskProgress {
  readonly examined: number;
  /** Null until it is known. */
  readonly total: number | null;
  readonly matched: number;
  readonly created: number;
  /** Numbers by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Members of the result that only this kind has. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Why a task failed. Without personal data: answers and the log show it. */
export interface TaskError {
  readonly code: string;
  readonly message: string;
}

export type TaskEvent =
  | ({ readonly type: 'TaskCreated'; readonly at: number } & TaskDetails)
  | { readonly type: 'TaskStarted'; readonly at: number; readonly progress: TaskProgress }
  /** What was done up to `cursor` is not looked at again. */
  | { readonly type: 'TaskAdvanced'; readonly at: number; readonly progress: TaskProgress; readonly cursor: string | null }
  | { readonly type: 'TaskCompleted'; readonly at: number; readonly progress: TaskProgress }
  | { readonly type: 'TaskCancelled'; readonly at: number }
  | { readonly type: 'TaskFailed'; readonly at: number; readonly error: TaskError }
  /** Nobody can read it any more; its stream is then dropped. */
  | { readonly type: 'TaskExpired'; readonly at: number };
