import type { DomainEvent } from '@domain/kernel/decider';
import type { IdKind } from '@domain/kernel/ids';
import type { Recorded } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';
import type { RowColumns } from './columns.js';

export interface ProjectedRow<Row extends object> {
  readonly projectId: string;
  /** Never changes. */
  readonly createdAt: number;
  /** Deleted rows leave the lists. */
  readonly deleted: boolean;
  readonly row: Row;
  /** Renders the row's JSON text for lists, right before the row is written. */
  readonly text?: () => string;
}

/** The change of a row that many rows share. */
export interface SharedChange {
  readonly id: string;
  /** The shared row after the event; null leaves it as it is. Must depend on its argument and on those of `changes` only. */
  project(before: ProjectedRow<object> | null): ProjectedRow<object> | null;
}

interface SharedRows<Event extends DomainEvent = DomainEvent, Row extends object = object> {
  /**
   * What an event of the row changes in shared rows, each named once. May depend on members of the row that no later event changes: the row
   * may have seen later ones. An event changes a shared row once, however many of its rows share it.
   */
  changes(record: Recorded<Event>, row: Row, projectId: string): readonly SharedChange[];
}

/** A read model: pure functions from events to rows. The projection runner owns positions, guards and checkpoints. */
export interface Projection<Event extends DomainEvent = DomainEvent, Row extends object = object> {
  readonly schema: CollectionSchema;
  /** What becomes of each member of its rows in files. */
  readonly columns: RowColumns<Row>;
  /** The kind of the rows' public ids, which are accepted as cursors. */
  readonly idKind: IdKind;
  readonly categories: readonly string[];
  /** The rows that an event changes, without duplicates. */
  rowIds(record: Recorded<Event>): readonly string[];
  /** Whether this is the first event of its rows. On a repeat, a newer stored row stays until the events catch up with it. */
  begins(record: Recorded<Event>): boolean;
  /** The row after the event; null leaves it as it is. Must depend on its arguments only. */
  project(before: ProjectedRow<Row> | null, record: Recorded<Event>, id: string): ProjectedRow<Row> | null;
  /**
   * The streams whose events make this row. Absent where a row may be made of many, whose histories are too much for one request. May
   * depend on the row as it is now, also where retention has dropped one of them.
   */
  streamsOf?(row: Row, id: string): readonly string[];
  /** For the schema's shared collection, which is then required. */
  readonly shared?: SharedRows<Event, Row>;
}
