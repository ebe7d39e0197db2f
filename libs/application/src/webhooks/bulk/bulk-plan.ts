import type { TaskStep } from '../../tasks/task-kind.js';
import type { BulkResult } from './bulk-progress.js';

export const NOTHING = { examined: 0, matched: 0, created: 0, skipped: {} } as const;

/** A delivery, or an event, that a task comes to. */
export interface BulkItem {
  readonly endpointId: string;
  /** Its position. The task continues behind it. */
  readonly cursor: string;
}

/** What a task comes to, and does with it. */
export interface BulkPlan<Item extends BulkItem> {
  /** All behind a cursor, in the task's order. */
  readonly items: (cursor: string | null) => AsyncIterable<readonly Item[]>;
  /** Those of one endpoint, in the same order; absent in a task about one endpoint. */
  readonly itemsAt?: (endpointId: string, cursor: string | null) => AsyncIterable<readonly Item[]>;
  readonly work: (item: Item) => Promise<BulkResult>;
  /** Finds the total; where it is absent, the items are counted. */
  readonly counting?: AsyncIterable<TaskStep>;
}
