import type { Recorded } from '@ports/event-store.port';

/** An event that is applied anew. */
export interface Retry {
  readonly record: Recorded;
  /** The rows that lacked it when it was skipped. */
  readonly rows: readonly string[];
  /** The task that does it. */
  readonly taskId: string;
}

/** The projections and reactors that this process runs. */
export abstract class HostedComponents {
  /**
   * Applies an event anew, and records that it is resolved, or that it was skipped once more. Resolves to how many rows were made.
   * Rejects with `resource_missing` for a component that this process does not know.
   */
  abstract retry(component: string, retry: Retry, signal: AbortSignal): Promise<number>;
}
