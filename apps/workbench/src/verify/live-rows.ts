import type { Position } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from '@application/read-models/projection';

export interface LivePage {
  /** Every event up to here is in the rows. */
  readonly checkpoint: Position;
  readonly rows: readonly StoredRow[];
}

/** The rows that a service has stored, as they are at this moment. */
export interface LiveRows {
  /** Rejects where the service makes the rows by another version. */
  check(projection: Projection): Promise<void>;

  /** The next rows after an id, in the order of ids; none at the end. */
  page(projection: string, after: string | undefined): Promise<LivePage>;

  /** Those of at most 100 rows that there are. */
  some(projection: string, ids: readonly string[]): Promise<LivePage>;
}

export function otherVersion(name: string): Error {
  return new Error(`The rows of ${name} are of another version than this workbench makes: use that of the service's release.`);
}
