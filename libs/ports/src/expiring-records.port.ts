/** The state of a record between two writes. */
export interface ExpiringRecord {
  readonly value: string;
  /** Changes with every write. */
  readonly version: string;
  /** Epoch milliseconds. From this instant on the record does not exist. */
  readonly expiresAt: number;
}

export type Creation =
  { readonly created: true; readonly record: ExpiringRecord } | { readonly created: false; readonly record: ExpiringRecord };

/**
 * Small keyed records that expire to the millisecond, by the clock of the process that asks: two processes may differ by the
 * skew of their clocks. Every write is durable before it resolves. One that the store refuses rejects with `StoreUnavailable`,
 * and may hold all the same.
 */
export abstract class ExpiringRecords {
  /** Creates the record, or resolves to the one that has the key. Of several callers, in any processes, exactly one creates it. */
  abstract create(key: string, value: string, expiresAt: number): Promise<Creation>;

  /** The record as it is now; null when there is none or it has expired. */
  abstract get(key: string): Promise<ExpiringRecord | null>;

  /** Replaces the record if it still has this version. Resolves to the new record, or to null when it has changed or expired. */
  abstract replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null>;

  /** Removes the record if it still has this version. Resolves to whether it did. */
  abstract remove(key: string, version: string): Promise<boolean>;
}
