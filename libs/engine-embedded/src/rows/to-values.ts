import { nameOf } from '@ports/failure';
import { type CollectionSchema, RowsRefused, type StoredRow } from '@ports/read-models.port';
import type { RowValues } from '../writer/requests.js';
import { columnsOf } from './collection-columns.js';
import { toListing } from './listing.js';
import { toColumn } from './row-tests.js';

/** The rows as the writer takes them. Throws `RowsRefused` when one of them cannot be stored. */
export function toValues(schema: CollectionSchema, rows: readonly StoredRow[]): RowValues[] {
  const columns = columnsOf(schema);
  try {
    return rows.map((stored) => valuesOf(stored, columns));
  } catch (error) {
    throw new RowsRefused(nameOf(error));
  }
}

function valuesOf(stored: StoredRow, columns: readonly string[]): RowValues {
  const { text, ...kept } = stored;
  const { id, projectId, createdAt, sortId, position, deleted } = kept;
  const members = kept.row as Readonly<Record<string, unknown>>;
  const fields = columns.map((name) => toColumn(members[name]));
  return [id, projectId, createdAt, sortId, position, deleted ? 1 : 0, toListing(kept, text), JSON.stringify(kept), ...fields];
}
