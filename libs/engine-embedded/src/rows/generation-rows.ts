import type { CollectionSchema } from '@ports/read-models.port';
import type { Reading } from '../database.js';
import { StoredRows } from './stored-rows.js';

export interface GenerationRows {
  readonly own: StoredRows;
  readonly shared: StoredRows | null;
}

export function rowsOfGeneration(db: Reading, schema: CollectionSchema, generation: number): GenerationRows {
  const { shared } = schema;
  return {
    own: new StoredRows(db, schema, generation),
    shared: shared ? new StoredRows(db, shared, generation) : null,
  };
}
