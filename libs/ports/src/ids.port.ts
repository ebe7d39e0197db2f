import type { IdKind } from '@domain/kernel/ids';

/** The only source of randomness and of derived ids. */
export abstract class Ids {
  /** A new public id, greater than all earlier ones of this process. `at` (epoch milliseconds) defaults to now. */
  abstract next(kind: IdKind, at?: number): string;

  /** The public id derived from these parts: the ULID of `at` and a hash of the parts. */
  abstract derived(kind: IdKind, at: number, ...parts: readonly string[]): string;

  abstract uuid(): string;

  /** The UUID derived from these parts. */
  abstract uuidOf(...parts: readonly string[]): string;

  abstract bytes(count: number): Uint8Array;

  /** A random number, uniform in [0, 1). */
  abstract chance(): number;
}
