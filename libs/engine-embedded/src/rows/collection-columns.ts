import type { CollectionSchema, RowsSchema } from '@ports/read-models.port';

/** Raised when tables or columns change; rows of an older layout are projected again. */
const LAYOUT = 4;

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

export function partsOf(schema: CollectionSchema): readonly RowsSchema[] {
  return schema.shared ? [schema, schema.shared] : [schema];
}

export function columnsOf(schema: RowsSchema): readonly string[] {
  return [...new Set([...schema.filterFields, ...schema.dueFields])];
}

export function tableOf(collection: string, generation: number): string {
  return `rows ${collection} ${generation}`;
}

/** `[ ]` never occurs in a name (see `checkNames`). */
export const quoted = (name: string): string => `[${name}]`;

export const column = (field: string): string => `[f ${field}]`;

export const indexOf = (table: string, field: string): string => `[${table} by ${field}]`;

/** Throws `TypeError` for names that statements cannot quote. */
export function checkNames(schema: CollectionSchema): void {
  const names = partsOf(schema).flatMap((part) => [part.name, ...columnsOf(part)]);
  const bad = names.find((name) => !NAME.test(name));
  if (bad !== undefined) throw new TypeError(`"${bad}" cannot name a collection or a field`);
}

/** The index in list order, deleted rows apart: a page is one range of it. */
export const placeIndexOf = (table: string): string => indexOf(table, 'place');

export function signatureOf(schema: CollectionSchema): string {
  return JSON.stringify({ ...schema, layout: LAYOUT });
}

/**
 * Rows are in order of creation, so those of a page are close together. A table WITHOUT ROWID would hold whole rows in inner pages, four of
 * a kilobyte each, and make the tree deep. `listing` comes before `stored`, so lists skip overflow pages.
 */
export function createTable(schema: RowsSchema, table: string): string {
  const fields = columnsOf(schema).map((field) => `, ${column(field)}`);
  return `
    CREATE TABLE ${quoted(table)} (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL, project_id TEXT NOT NULL, created_at INTEGER NOT NULL,
      sort_id TEXT NOT NULL, deleted INTEGER NOT NULL, position TEXT NOT NULL ${fields.join('')}, listing TEXT, stored TEXT NOT NULL
    );
    CREATE UNIQUE INDEX ${indexOf(table, 'id')} ON ${quoted(table)} (id);`;
}

/** One statement per index, to build each in its own transaction. */
export function createIndexes(schema: RowsSchema, table: string): readonly string[] {
  const place = `CREATE INDEX IF NOT EXISTS ${placeIndexOf(table)}
    ON ${quoted(table)} (project_id, deleted, created_at, sort_id)`;
  const filters = schema.filterFields.map(
    (field) =>
      `CREATE INDEX IF NOT EXISTS ${indexOf(table, `filter ${field}`)}
       ON ${quoted(table)} (project_id, deleted, ${column(field)}, created_at, sort_id)`,
  );
  const dues = schema.dueFields.map(
    (field) =>
      `CREATE INDEX IF NOT EXISTS ${indexOf(table, `due ${field}`)} ON ${quoted(table)} (${column(field)}, id)
       WHERE ${column(field)} IS NOT NULL AND deleted = 0`,
  );
  return [place, ...filters, ...dues];
}
