import type { CollectionSchema, StoredRow } from '@ports/read-models.port';
import { columnsOf } from './collection-table.js';
import { toColumn } from './page-plan.js';
import type { RowValues } from './writer/requests.js';

export function toValues(schema: CollectionSchema, rows: readonly StoredRow[]): RowValues[] {
  const columns = columnsOf(schema);
  return rows.map((stored) => {
    const { id, projectId, createdAt, sortId, position, deleted } = stored;
    const members = stored.row as Readonly<Record<string, unknown>>;
    const fields = columns.map((name) => toColumn(members[name]));
    return [id, projectId, createdAt, sortId, position, deleted ? 1 : 0, JSON.stringify(stored), ...fields];
  });
}
