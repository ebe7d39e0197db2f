/** What a key holds between two writes. */
export interface ExpiringRecord {
  readonly value: string;
  /** Changes with every write. */
  readonly version: string;
  /** Epoch milliseconds; from this instant on the record does not exist. */
  readonly expiresAt: number;
}

export type Creation =
  { readonly created: true; readonly record: ExpiringRecord } | { readonly created: false; readonly record: ExpiringRecord };

/**
 * Small keyed records that vanish by themselves, to the millisecond by the injected clock. Every write is durable before it
 * resolves; one that the disk refuses rejects with `StoreUnavailable`, and may hold all the same.
 */
export abstract class ExpiringRecords {
  /** Creates the record, or tells the living one that holds the key. Exactly one of several callers creates. */
  abstract create(key: string, value: string, expiresAt: number): Promise<Creation>;

  /** The record as it is now; null when there is none, or none any more. */
  abstract get(key: string): Promise<ExpiringRecord | null>;

  /** Replaces the record if it still has this version; the new record, or null when it moved on or expired. */
  abstract replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null>;

  /** Removes the record if it still has this version. */
  abstract remove(key: string, version: string): Promise<boolean>;
}
