import { nameOf } from '@ports/failure';
import { type CollectionSchema, type RowsSchema, RowsRefused, type StoredRow } from '@ports/read-models.port';
import type { RowValues } from '../writer/requests.js';
import { columnsOf } from './collection-columns.js';
import { toListing } from './listing.js';
import { toColumn } from './row-tests.js';

export function valuesOfBoth(schema: CollectionSchema, rows: readonly StoredRow[], shared: readonly StoredRow[]) {
  if (shared.length > 0 && !schema.shared) throw new TypeError(`${schema.name} has no shared collection`);
  return { rows: toValues(schema, rows), shared: schema.shared ? toValues(schema.shared, shared) : [] };
}

/** The rows for the writer. Throws `RowsRefused` if one cannot be stored. */
export function toValues(schema: RowsSchema, rows: readonly StoredRow[]): RowValues[] {
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
