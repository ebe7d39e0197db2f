import type { EventStore, Position } from './event-store.port.js';

export type FieldValue = string | number | boolean | null;

/** What rows are called, and by which of their members they can be found. */
export interface RowsSchema {
  readonly name: string;
  /** Top-level row members (string, number, boolean or null) that lists filter by. Engines derive indexes from them. */
  readonly filterFields: readonly string[];
  /** Top-level row members, number or null, by which `due` finds rows of all projects. A row with null is never due. */
  readonly dueFields: readonly string[];
}

/** A read model's rows. Their name is plural, as in the URL; it is also that of the projection and its checkpoint. */
export interface CollectionSchema extends RowsSchema {
  /** Raised, never lowered, whenever the same events give other rows or texts. All rows are then projected anew. */
  readonly version: number;
  /**
   * A second collection of the same events, beside this one: both have one version and one checkpoint, and are begun anew,
   * rebuilt and switched together. What reads rows takes its name too; everything else takes the name of this one alone.
   */
  readonly shared?: RowsSchema;
}

/** How the stored schema of a collection stands to another one, which takes the place of an `older` one. */
export type SchemaStanding = 'none' | 'older' | 'same' | 'newer';

/** One row as it is stored. */
export interface StoredRow<Row extends object = object> {
  readonly id: string;
  readonly projectId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The position of the event that created the row. With `createdAt` it gives a total order. */
  readonly sortId: Position;
  /** The position of the last event applied to the row. An older or equal one changes nothing. */
  readonly position: Position;
  /** Lists leave such a row out, but it keeps its place and its position. */
  readonly deleted: boolean;
  readonly row: Row;
  /** What lists show of the row, as JSON that was rendered when the row was written. Stored verbatim beside it. */
  readonly text?: string;
}

/** A row of a list: its text while that is true, else the row itself. A row that cannot be read has an empty text. */
export type ListedRow<Row extends object = object> = SortKey &
  ({ readonly text: string } | { readonly text: null; readonly stored: StoredRow<Row> });

export interface Condition {
  /** A filter field, or `createdAt`. */
  readonly field: string;
  /** Texts are ordered by code point: `prefix` finds those that begin with all code points of the value. */
  readonly op: 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'prefix';
  readonly value: FieldValue | readonly FieldValue[];
}

/** Rows that meet all conditions of at least one of these. Empty: every row. */
export type Filter = readonly (readonly Condition[])[];

export interface SortKey {
  readonly createdAt: number;
  readonly sortId: Position;
}

/** A row's place among the rows that are due. */
export interface DueKey {
  readonly value: number;
  readonly id: string;
}

export interface PageQuery {
  readonly projectId: string;
  readonly filter: Filter;
  readonly order: 'desc' | 'asc';
  /** Only rows strictly beyond this key in the given order. */
  readonly after?: SortKey;
  readonly limit: number;
  readonly includeDeleted?: boolean;
}

export interface ListQuery extends PageQuery {
  /** Rows whose text is no longer true, because time has passed. */
  readonly outdated?: Condition;
}

/** The log that rows are made of. */
export type SourceLog = Pick<EventStore, 'identity' | 'head' | 'holds'>;

export interface DefineOptions {
  readonly overNewer?: boolean;
  /** Without it, rows are kept whatever log they were made of, and count as restored from their beginning. */
  readonly log?: SourceLog;
}

/** Rows that are being rebuilt beside the live ones. Readers see none of them before `switchOver`. */
export interface Rebuild {
  /** As `ReadModels.getMany`, of the rows rebuilt so far. */
  getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  /** As `getMany`, of the shared collection. */
  getShared(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  /** As `ReadModels.apply`. Rejects once the rebuild was abandoned, or a newer one was begun. */
  apply(rows: readonly StoredRow[], checkpoint: Position, shared?: readonly StoredRow[]): Promise<void>;
  /** Does the slow part of the switch beforehand, such as building indexes. More rows may be applied after it. */
  prepare(): Promise<void>;
  /**
   * Replaces the live rows and their checkpoint by the rebuilt ones, in one step for readers. Rejects once the rebuild has
   * ended.
   */
  switchOver(): Promise<void>;
  /** Drops the rebuilt rows and leaves the live ones. Does nothing once the rebuild has ended. */
  abandon(): Promise<void>;
}

/** The store can never take some of these rows, however often they are offered. Nothing was written. */
export class RowsRefused extends Error {
  constructor(readonly reason: string) {
    super(`rows were refused: ${reason}`);
    this.name = 'RowsRefused';
  }
}

/** Rows derived from events. All of them can be derived again. */
export abstract class ReadModels {
  /**
   * Names the schema by which this process reads a collection from now on, even if it rejects, and tells how the stored one
   * stands to it. Every other method rejects with `StoreUnavailable` before that, and while the stored schema is another one.
   */
  abstract expect(schema: CollectionSchema): Promise<SchemaStanding>;

  /**
   * As `expect`, and creates the collection (tables, indexes) unless it is there. Only the process that runs the projections
   * may. A schema takes the place of one with other fields or a lower version, and begins without rows; over a higher version
   * it rejects with `StoreUnavailable`, unless `overNewer` says that no other program can use the collection. A collection also
   * begins without rows where the stored ones are of another log or of one that was longer, or where the store has lost some of them.
   */
  abstract define(schema: CollectionSchema, options?: DefineOptions): Promise<void>;

  /**
   * Writes rows, `shared` ones into the shared collection, then the checkpoint. A row whose stored position is the same or newer stays as it is, so applying any
   * prefix of the events again changes nothing. Never moves a checkpoint back. Rejects with `RowsRefused` when a row
   * cannot be stored. Who is not the collection's projection passes `START`, and may write only in the process that runs
   * the projections.
   */
  abstract apply(
    collection: string,
    rows: readonly StoredRow[],
    checkpoint: Position,
    shared?: readonly StoredRow[],
  ): Promise<void>;

  /** Rows by id, in the order of the ids, deleted ones included; null for an unknown id. */
  abstract getMany(collection: string, ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;

  /** Rows of one project in `(createdAt, sortId)` order. */
  abstract page(collection: string, query: PageQuery): Promise<readonly StoredRow[]>;

  /** The rows that `page` would give, as texts that a list's answer is joined from. */
  abstract list(collection: string, query: ListQuery): Promise<readonly ListedRow[]>;

  /**
   * Rows of all projects, without deleted ones, whose `field` (a due field) is at most `upTo`: smallest first, then by id,
   * and only those beyond `after`.
   */
  abstract due(collection: string, field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]>;

  /** The position up to which events were applied; `START` before the first, and where the store has lost the rows that `define` made. */
  abstract checkpoint(collection: string): Promise<Position>;

  /** Resolves to true once the checkpoint is at `position` or beyond and the rows are restored; to false after `withinMs`. */
  abstract reached(collection: string, position: Position, withinMs: number): Promise<boolean>;

  /**
   * Whether the rows are as far as the log was when they were begun, and the store has lost none of them. A reader that asks after
   * it has read knows that it was not shown a part of the rows.
   */
  abstract isRestored(collection: string): Promise<boolean>;

  /** Begins a rebuild beside the live rows. A collection has one at a time: an unfinished older one is dropped. */
  abstract rebuild(collection: string): Promise<Rebuild>;

  /**
   * Whether a rebuild of any process may still replace the live rows: from the call of `rebuild` in this process, and from
   * when it resolved in another one, until `switchOver`, a call of `abandon` (even a failed one), or the death of its process.
   */
  abstract isRebuilding(collection: string): Promise<boolean>;
}
