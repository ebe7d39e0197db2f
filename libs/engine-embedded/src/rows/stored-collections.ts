import { START, type Position } from '@ports/event-store.port';
import type { CollectionSchema, StoredCollection } from '@ports/read-models.port';
import type { Reading } from '../database.js';
import { quoted, tableOf } from './collection-columns.js';

type Stored = readonly [name: string, schema: string, generation: number, checkpoint: Position, replaced: Position | null];

const COLLECTIONS = `
  SELECT name, schema, generation, collections.checkpoint, replaced_rows.checkpoint
  FROM collections LEFT JOIN replaced_rows ON collection = name ORDER BY name`;

/** Rows are numbered from 1 and never removed. */
export function storedCollections(db: Reading): readonly StoredCollection[] {
  const all = db.prepare(COLLECTIONS).all() as unknown as readonly Stored[];
  return all.map(([name, schema, generation, checkpoint, replaced]) => {
    const [rows] = db.prepare(`SELECT max(row) FROM ${quoted(tableOf(name, generation))}`).get() as unknown as [number | null];
    const { version } = JSON.parse(schema) as CollectionSchema;
    return { name, version, checkpoint, isRestored: checkpoint >= (replaced ?? START), rows: rows ?? 0 };
  });
}
