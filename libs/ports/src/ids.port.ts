import type { IdKind } from '@domain/kernel/ids';

/** The only source of chance, and of names made from other names. */
export abstract class Ids {
  /** A new public id; ids of one process never go backwards. `at` (epoch milliseconds) defaults to now. */
  abstract next(kind: IdKind, at?: number): string;

  /** The public id that these parts always give: ULID of `at` and a hash of the parts. */
  abstract derived(kind: IdKind, at: number, ...parts: readonly string[]): string;

  /** A random UUID. */
  abstract uuid(): string;

  /** The UUID that these parts always give. */
  abstract uuidOf(...parts: readonly string[]): string;

  /** Random bytes for secrets. */
  abstract bytes(count: number): Uint8Array;

  /** Uniform in [0, 1). */
  abstract chance(): number;
}
