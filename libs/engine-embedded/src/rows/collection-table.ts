import type { CollectionSchema } from '@ports/read-models.port';

/** Raised when the tables below change, or how columns are written: rows of an older layout are projected anew. */
const LAYOUT = 4;

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

/** The columns of a row that are there for asking, in their one order. */
export function columnsOf(schema: CollectionSchema): readonly string[] {
  return [...new Set([...schema.filterFields, ...schema.dueFields])];
}

export function tableOf(collection: string, generation: number): string {
  return `rows ${collection} ${generation}`;
}

/** `[ ]` never occurs in a name (see `checkNames`). */
export const quoted = (name: string): string => `[${name}]`;

export const column = (field: string): string => `[f ${field}]`;

export const indexOf = (table: string, field: string): string => `[${table} by ${field}]`;

/** Throws `TypeError` when the collection or a field has a name that statements cannot quote. */
export function checkNames(schema: CollectionSchema): void {
  const bad = [schema.name, ...columnsOf(schema)].find((name) => !NAME.test(name));
  if (bad !== undefined) throw new TypeError(`"${bad}" cannot name a collection or a field`);
}

/** The index of lists in their own order, unmarked rows apart from marked ones: a page is one range of it. */
export const placeIndexOf = (table: string): string => indexOf(table, 'place');

/** What tells whether stored rows are still those that a schema means. */
export function signatureOf(schema: CollectionSchema): string {
  return JSON.stringify({ ...schema, layout: LAYOUT });
}

/**
 * Rows lie in the order in which they were made, so a page of a list is near together. A table without rowids would keep
 * whole rows in its upper pages: of rows of a kilobyte each holds four, and every look-up passes a dozen of them. What
 * lists show comes before the rest, so that it is found without a row's overflow pages.
 */
export function createTable(schema: CollectionSchema, table: string): string {
  const fields = columnsOf(schema).map((field) => `, ${column(field)}`);
  return `
    CREATE TABLE ${quoted(table)} (
      row INTEGER PRIMARY KEY, id TEXT NOT NULL, project_id TEXT NOT NULL, created_at INTEGER NOT NULL,
      sort_id TEXT NOT NULL, deleted INTEGER NOT NULL, position TEXT NOT NULL ${fields.join('')}, listing TEXT, stored TEXT NOT NULL
    );
    CREATE UNIQUE INDEX ${indexOf(table, 'id')} ON ${quoted(table)} (id);`;
}

/** One statement per index, so that each can be made in a transaction of its own. */
export function createIndexes(schema: CollectionSchema, table: string): readonly string[] {
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
