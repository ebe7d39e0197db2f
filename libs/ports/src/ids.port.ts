import type { IdKind } from '@domain/kernel/ids';

/** The only source of randomness, and of ids derived from other values. */
export abstract class Ids {
  /** A new public id, above every one of this process before it. `at` (epoch milliseconds) defaults to now. */
  abstract next(kind: IdKind, at?: number): string;

  /** The public id of these parts, always the same: the ULID of `at` and a hash of the parts. */
  abstract derived(kind: IdKind, at: number, ...parts: readonly string[]): string;

  /** A random UUID. */
  abstract uuid(): string;

  /** The UUID of these parts, always the same. */
  abstract uuidOf(...parts: readonly string[]): string;

  /** Random bytes for secrets. */
  abstract bytes(count: number): Uint8Array;

  /** A random number, uniform in [0, 1). */
  abstract chance(): number;
}
