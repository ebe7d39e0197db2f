import type { EventStore, Position } from './event-store.port.js';

export type FieldValue = string | number | boolean | null;

/** The name of rows, and the members by which they are found. */
export interface RowsSchema {
  readonly name: string;
  /** Top-level row members (string, number, boolean or null) that lists filter by. Engines index them. */
  readonly filterFields: readonly string[];
  /** Top-level row members (number or null) that `due` searches across projects. A row with null is never due. */
  readonly dueFields: readonly string[];
}

/** A read model's rows. The name is plural, as in the URL; projection and checkpoint share it. */
export interface CollectionSchema extends RowsSchema {
  /** Raised whenever the same events yield different rows or texts: all rows are then projected again. */
  readonly version: number;
  /** A second collection of the same events, with the same version, checkpoint and rebuild. Only readers use its own name. */
  readonly shared?: RowsSchema;
}

/** What is stored of a collection: nothing, rows of the expected schema, or only rows of another one. */
export type SchemaStanding = 'none' | 'same' | 'other';

export interface StoredRow<Row extends object = object> {
  readonly id: string;
  readonly projectId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Position of the event that created the row. `(createdAt, sortId)` is a total order. */
  readonly sortId: Position;
  /** Position of the last event applied. Older or equal events change nothing. */
  readonly position: Position;
  /** Hidden from lists, but keeps its id and position. */
  readonly deleted: boolean;
  readonly row: Row;
  /** The JSON that lists show, rendered when the row was written. */
  readonly text?: string;
}

/** A row of a list: its text while that is true, else the row itself. An unreadable row has an empty text. */
export type ListedRow<Row extends object = object> = SortKey &
  ({ readonly text: string } | { readonly text: null; readonly stored: StoredRow<Row> });

export interface Condition {
  /** A filter field, or `createdAt`. */
  readonly field: string;
  /** Texts are ordered by code point; `prefix` compares whole code points. */
  readonly op: 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'prefix';
  readonly value: FieldValue | readonly FieldValue[];
}

/** Rows that meet all conditions of at least one group. Empty: every row. */
export type Filter = readonly (readonly Condition[])[];

export interface SortKey {
  readonly createdAt: number;
  readonly sortId: Position;
}

/** A stretch of all rows, by id. */
export interface ScanQuery {
  /** Only rows with a later id. */
  readonly after?: string;
  readonly limit: number;
}

/** A row's place among due rows. */
export interface DueKey {
  readonly value: number;
  readonly id: string;
}

export interface PageQuery {
  readonly projectId: string;
  readonly filter: Filter;
  readonly order: 'desc' | 'asc';
  /** Only rows strictly after this key. */
  readonly after?: SortKey;
  readonly limit: number;
  readonly includeDeleted?: boolean;
}

export interface ListQuery extends PageQuery {
  /** Rows whose text has become untrue with time. */
  readonly outdated?: Condition;
}

/** A search along the rows that meet one condition, for those that meet others too. */
export interface LookQuery extends Pick<PageQuery, 'projectId' | 'order' | 'after' | 'limit'> {
  /** `eq` or `in` of a filter field. */
  readonly by: Condition;
  /** All must be met. Bounds of `createdAt` limit which rows are looked at. */
  readonly filter: readonly Condition[];
  /** How many rows are looked at, at most; not fewer than `by` has values. */
  readonly reach: number;
}

/** The rows found, deleted ones left out. */
export interface Look {
  readonly rows: readonly StoredRow[];
  /** The place up to which `reach` let it look: no later row was looked at. Null if it ended for want of rows, or at its limit. */
  readonly end: SortKey | null;
}

/** What is stored of a collection, by whichever program. */
export interface StoredCollection {
  readonly name: string;
  readonly version: number;
  /** As `ReadModels.checkpoint`. */
  readonly checkpoint: Position;
  /** As `ReadModels.isRestored`. */
  readonly isRestored: boolean;
  /** How many rows there are, deleted ones included and shared ones left out. An estimate after a crash. */
  readonly rows: number;
}

export type SourceLog = Pick<EventStore, 'identity' | 'head' | 'holds'>;

export interface DefineOptions {
  /** Without it, rows are kept whichever log they came from, and count as restored. */
  readonly log?: SourceLog;
}

/** A rebuild in the background. Readers see none of its rows before `switchOver`. */
export interface Rebuild {
  /** As `ReadModels.getMany`, over the rebuilt rows. */
  getMany(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  getShared(ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;
  /** As `ReadModels.apply`. Rejects once the rebuild was abandoned or replaced by a newer one. */
  apply(rows: readonly StoredRow[], checkpoint: Position, shared?: readonly StoredRow[]): Promise<void>;
  /** Does the slow part of the switch in advance, such as indexes. More rows may follow. */
  prepare(): Promise<void>;
  /** Replaces the live rows and checkpoint atomically for readers. Rejects once the rebuild has ended. */
  switchOver(): Promise<void>;
  /** Drops the rebuilt rows. Does nothing once the rebuild has ended. */
  abandon(): Promise<void>;
}

/** The store can never take some of these rows. Nothing was written. */
export class RowsRefused extends Error {
  constructor(readonly reason: string) {
    super(`rows were refused: ${reason}`);
    this.name = 'RowsRefused';
  }
}

/** Rows derived from events; all can be derived again. */
export abstract class ReadModels {
  /**
   * Sets the schema by which this process reads a collection, even if it rejects, and compares it with the stored one. Other methods reject
   * with `StoreUnavailable` before that, and while the stored schema differs.
   */
  abstract expect(schema: CollectionSchema): Promise<SchemaStanding>;

  /**
   * As `expect`, and creates the collection if missing; only for the process that runs the projections. In a store that processes share,
   * rows of each version stand beside those of others; in one that a process has alone, they replace them. Begins without rows in
   * place of stored ones with other fields, of another or a longer log, or of which some were lost.
   */
  abstract define(schema: CollectionSchema, options?: DefineOptions): Promise<void>;

  /**
   * Writes rows, then `shared` rows, then the checkpoint. A row stored with the same or a newer position stays, so replaying events changes
   * nothing; the checkpoint never moves back. Rejects with `RowsRefused` when a row cannot be stored. Callers other than the projection
   * pass `START`, in the process that runs the projections.
   */
  abstract apply(
    collection: string,
    rows: readonly StoredRow[],
    checkpoint: Position,
    shared?: readonly StoredRow[],
  ): Promise<void>;

  /** Rows in the order of the ids, deleted ones included; null for an unknown id. */
  abstract getMany(collection: string, ids: readonly string[]): Promise<readonly (StoredRow | null)[]>;

  /** Rows of one project in `(createdAt, sortId)` order. */
  abstract page(collection: string, query: PageQuery): Promise<readonly StoredRow[]>;

  /** The rows of `page`, as texts to join into a list's answer. */
  abstract list(collection: string, query: ListQuery): Promise<readonly ListedRow[]>;

  /** Rows of one project in the order of `page`, as far as `reach` allows. */
  abstract look(collection: string, query: LookQuery): Promise<Look>;

  /** Rows of all projects, without deleted ones, whose due field is at most `upTo`: by value, then id, strictly after `after`. */
  abstract due(collection: string, field: string, upTo: number, limit: number, after?: DueKey): Promise<readonly StoredRow[]>;

  /** Rows of all projects in the order of their ids by code point, deleted ones included. */
  abstract scan(collection: string, query: ScanQuery): Promise<readonly StoredRow[]>;

  /** The position up to which events were applied; `START` before the first, or if the store lost the rows of `define`. */
  abstract checkpoint(collection: string): Promise<Position>;

  /** True once the checkpoint reaches `position` and the rows are restored; false after `withinMs`. */
  abstract reached(collection: string, position: Position, withinMs: number): Promise<boolean>;

  /** Whether rows have caught up with the log of their beginning, and none are lost. Ask after a read to know that it was complete. */
  abstract isRestored(collection: string): Promise<boolean>;

  /** Every collection that is stored, also those of which this process knows no schema, by name and version. */
  abstract stored(): Promise<readonly StoredCollection[]>;

  /** Tells that a process reads the rows of the expected schemas. */
  abstract noteUse(): Promise<void>;

  /**
   * Drops rows of the expected collections in other versions, where no process has noted their use since `before` (epoch milliseconds).
   * Resolves to what was dropped.
   */
  abstract dropUnused(before: number): Promise<readonly Pick<StoredCollection, 'name' | 'version'>[]>;

  /** Begins a rebuild. It drops an unfinished older one. */
  abstract rebuild(collection: string): Promise<Rebuild>;

  /**
   * Whether a rebuild may still replace the live rows: from the call of `rebuild` (in another process: once it resolved) until
   * `switchOver`, any call of `abandon`, or the death of its process.
   */
  abstract isRebuilding(collection: string): Promise<boolean>;
}
