import type { Position } from './event-store.port.js';

export type FieldValue = string | number | boolean | null;

/** A read model's rows: what they are called and which members of a row can be asked for. */
export interface CollectionSchema {
  /** Plural, as in the URL; also the name of the projection and its checkpoint. */
  readonly name: string;
  /** Raised whenever the same events come out as other rows or texts: all of them are then projected anew. */
  readonly version: number;
  /** Top-level row members (string, number, boolean or null) that lists filter by; adapters derive indexes. */
  readonly filterFields: readonly string[];
  /** Top-level numeric row members that sweeps ask by, across projects, smallest first; null leaves the row out. */
  readonly dueFields: readonly string[];
}

/** One row as kept. */
export interface StoredRow<Row extends object = object> {
  readonly id: string;
  readonly projectId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Position of the event that made the row: with `createdAt` a total order. */
  readonly sortId: Position;
  /** Position of the last event applied: the row's guard. */
  readonly position: Position;
  /** Marked rows are left out of lists but keep their place and guard. */
  readonly deleted: boolean;
  readonly row: Row;
  /** JSON text: what lists show of the row, rendered when it was written. Kept beside the row, verbatim. */
  readonly text?: string;
}

/** A row as a list needs it: its text where that still holds, else the row itself. */
export type ListedRow<Row extends object = object> = SortKey &
  ({ readonly text: string } | { readonly text: null; readonly stored: StoredRow<Row> });

export interface Condition {
  /** A filter field, or `createdAt`. */
  readonly field: string;
  readonly op: 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'prefix';
  readonly value: FieldValue | readonly FieldValue[];
}

/** Any of these, each being all of its conditions. Empty: everything. */
export type Filter = readonly (readonly Condition[])[];

export interface SortKey {
  readonly createdAt: number;
  readonly sortId: Position;
}

/** A row's place among those that are due. */
export interface DueKey {
  readonly value: number;
  readonly id: string;
}

export interface PageQuery {
  readonly projectId: string;
  readonly filter: Filter;
  readonly order: 'desc' | 'asc';
  /** Rows strictly beyond this key in the given order. */
  readonly after?: SortKey;
  readonly limit: number;
  readonly includeDeleted?: boolean;
}

export interface ListQuery extends PageQuery {
  /** Time has made the texts of these rows untrue. */
  readonly outdated?: Condition;
}

/** Rows being rebuilt beside the live ones; readers see nothing of them before `switchOver`. */
export interface Rebuild {
  /** Of the rows rebuilt so far, as `ReadModels.getMany`. */
  getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  /** As `ReadModels.apply`; rejects once the rebuild was abandoned or dropped for a newer one. */
  apply(rows: readonly StoredRow[], checkpoint: Position): Promise<void>;
  /** What a switch would take long for is done beforehand; rows may follow. */
  prepare(): Promise<void>;
  /**
   * Puts the rebuilt rows and their checkpoint in the place of the live ones, in one step for readers. Rejects once the
   * rebuild has ended.
   */
  switchOver(): Promise<void>;
  /** Drops the rebuilt rows; the live ones go on. Changes nothing once the rebuild has ended. */
  abandon(): Promise<void>;
}

/** Some of the rows are such that the store will never take them, however often they are offered. */
export class RowsRefused extends Error {
  constructor(readonly reason: string) {
    super(`rows were refused: ${reason}`);
    this.name = 'RowsRefused';
  }
}

/** Rows derived from events. Losing all of them loses nothing. */
export abstract class ReadModels {
  /** Makes room for a collection (tables, indexes); until then it is `StoreUnavailable`. Doing it again changes nothing. */
  abstract define(schema: CollectionSchema): Promise<void>;

  /**
   * Writes rows, then the checkpoint. A row whose stored position is the same or newer stays as it is, so applying
   * any prefix again changes nothing. Never moves a checkpoint back. Rejects with `RowsRefused`, nothing being written,
   * when a row itself is to blame.
   */
  abstract apply(collection: string, rows: readonly StoredRow[], checkpoint: Position): Promise<void>;

  /** Rows by id, in the order asked, marked ones included; null for unknown ones. */
  abstract getMany(collection: string, ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;

  /** Rows of one project in `(createdAt, sortId)` order. */
  abstract page(collection: string, query: PageQuery): Promise<readonly StoredRow[]>;

  /** The same rows as `page`, as texts: for lists that are answered by joining them. */
  abstract list(collection: string, query: ListQuery): Promise<readonly ListedRow[]>;

  /**
   * Unmarked rows of all projects whose `field` (a due field) is at most `upTo`, smallest first and then by id; only
   * those beyond `after`.
   */
  abstract due(collection: string, field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]>;

  /** How far the collection is; `START` before anything was applied. */
  abstract checkpoint(collection: string): Promise<Position>;

  /** Whether the collection reached `position` within the time. */
  abstract reached(collection: string, position: Position, withinMs: number): Promise<boolean>;

  /** Whether rows that were defined anew are as far as those were whose place they take; true where there were none. */
  abstract isRestored(collection: string): Promise<boolean>;

  /** Starts a rebuild beside the live rows; one at a time per collection (an unfinished older one is dropped). */
  abstract rebuild(collection: string): Promise<Rebuild>;

  /**
   * Whether a rebuild, of any process, may still take the place of the live rows: from the call of `rebuild` until it has,
   * or was abandoned, be it in vain, or its process has died.
   */
  abstract isRebuilding(collection: string): Promise<boolean>;
}
