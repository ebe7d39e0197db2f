import type { DomainEvent } from '@domain/kernel/decider';
import type { IdKind } from '@domain/kernel/ids';
import type { Recorded } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';

/** What a projection says of one row after an event. */
export interface ProjectedRow<Row extends object> {
  readonly projectId: string;
  /** Epoch milliseconds; never changes. */
  readonly createdAt: number;
  /** Marked rows leave the lists. */
  readonly deleted: boolean;
  readonly row: Row;
  /** Renders what lists show of the row as JSON text; asked once the row is about to be written. */
  readonly text?: () => string;
}

/**
 * A row of the schema's shared collection, which many rows share and their events change too: an event names its own rows only,
 * and each of those names the row it shares. An event changes a shared row once, however many rows share it.
 */
interface SharedRow<Event extends DomainEvent = DomainEvent, Row extends object = object> {
  /** The id of the shared row; null when the event does not change it. It never changes for a row. */
  rowId(record: Recorded<Event>, row: Row): string | null;
  /** The shared row after the event; null leaves it as it is. Must not depend on anything but its arguments. */
  project(before: ProjectedRow<object> | null, record: Recorded<Event>, projectId: string): ProjectedRow<object> | null;
}

/** A read model: pure functions from events to rows. The projection runner owns positions, guards and checkpoints. */
export interface Projection<Event extends DomainEvent = DomainEvent, Row extends object = object> {
  readonly schema: CollectionSchema;
  /** The kind of public ids of its rows: bare ids of it are accepted as cursors. */
  readonly idKind: IdKind;
  /** Streams whose events it reads: `<category>-…`. */
  readonly categories: readonly string[];
  /** The rows an event is about, each once; none when it changes no row of this model. */
  rowIds(record: Recorded<Event>): readonly string[];
  /**
   * Whether this is the first event of its rows. A projection that reads these events again starts over with such
   * a row, though a newer version of it may be stored: that one stays until the events have caught up with it.
   */
  begins(record: Recorded<Event>): boolean;
  /** The row of this id after the event; null leaves things as they are. Must not depend on anything but its arguments. */
  project(before: ProjectedRow<Row> | null, record: Recorded<Event>, id: string): ProjectedRow<Row> | null;
  /** For the schema's shared collection, which it must have then. */
  readonly shared?: SharedRow<Event, Row>;
}
