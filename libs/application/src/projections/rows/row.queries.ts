import { Query } from '@nestjs/cqrs';
import type { Position, Recorded } from '@ports/event-store.port';
import type { ScanQuery, StoredRow } from '@ports/read-models.port';
import type { Page, PageRequest } from '../../paging/page.js';

export interface ProjectionRow {
  readonly stored: StoredRow;
  /** Whether it lacks an event that could not be applied. */
  readonly isStale: boolean;
}

/** A row of any project, as it is stored. Refuses with `resource_missing`. */
export class GetProjectionRow extends Query<ProjectionRow> {
  constructor(
    readonly projection: string,
    readonly id: string,
  ) {
    super();
  }
}

/** A member of a row before and after an event; null for a member that is not there. */
export type MemberChange = readonly [before: unknown, after: unknown];

/** What an event changed in a row. */
export interface RowChange {
  readonly record: Recorded;
  readonly changes: Readonly<Record<string, MemberChange>>;
}

/** The events that made a row. Refuses with `resource_missing` and `history_unavailable`. */
export class ListRowChanges extends Query<Page<RowChange>> {
  constructor(
    readonly projection: string,
    readonly id: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}

export interface ScannedRows {
  /** Every event up to here is in the rows. */
  readonly checkpoint: Position;
  readonly rows: readonly StoredRow[];
}

/** Rows of all projects as they are stored, at this moment: those after an id, or those with these ids. Refuses with `resource_missing`. */
export class ScanProjectionRows extends Query<ScannedRows> {
  constructor(
    readonly projection: string,
    readonly wanted: ScanQuery | { readonly ids: readonly string[] },
  ) {
    super();
  }
}
