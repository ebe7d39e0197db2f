export interface ExpiringRecord {
  readonly value: string;
  /** Changes with every write. */
  readonly version: string;
  /** Epoch milliseconds. The record does not exist from this instant on. */
  readonly expiresAt: number;
}

export type Creation =
  { readonly created: true; readonly record: ExpiringRecord } | { readonly created: false; readonly record: ExpiringRecord };

/**
 * Small keyed records that expire to the millisecond, by the clock of the process that asks. Every write is durable before it resolves; one
 * that rejects with `StoreUnavailable` may have taken effect.
 */
export abstract class ExpiringRecords {
  /** Creates the record, or resolves to the existing one. Of concurrent callers in all processes, exactly one creates it. */
  abstract create(key: string, value: string, expiresAt: number): Promise<Creation>;

  /** The present record; null when there is none or it has expired. */
  abstract get(key: string): Promise<ExpiringRecord | null>;

  /** Replaces the record if it still has this version; else resolves to null. */
  abstract replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null>;

  /** Removes the record if it still has this version; resolves to whether it did. */
  abstract remove(key: string, version: string): Promise<boolean>;
}
