import type { CollectionSchema } from '@ports/read-models.port';

/** Raised when the tables below change, or how columns are written: rows of an older layout are projected anew. */
const LAYOUT = 3;

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

/** Rows lie in the order of lists, unmarked ones apart from marked ones: a page is one range. */
export const PLACE = ['project_id', 'deleted', 'created_at', 'sort_id', 'id'] as const;

/** What tells whether stored rows are still those that a schema means. */
export function signatureOf(schema: CollectionSchema): string {
  return JSON.stringify({ ...schema, layout: LAYOUT });
}

/** What lists show comes right behind the place, so that it is found without a row's overflow pages. */
export function createTable(schema: CollectionSchema, table: string): string {
  const fields = columnsOf(schema).map((field) => `, ${column(field)}`);
  return `
    CREATE TABLE ${quoted(table)} (
      id TEXT NOT NULL, project_id TEXT NOT NULL, created_at INTEGER NOT NULL, sort_id TEXT NOT NULL, deleted INTEGER NOT NULL,
      listing TEXT, position TEXT NOT NULL, stored TEXT NOT NULL ${fields.join('')}, PRIMARY KEY (${PLACE.join(', ')})
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX ${indexOf(table, 'id')} ON ${quoted(table)} (id);`;
}

/** One statement per index, so that each can be made in a transaction of its own. */
export function createIndexes(schema: CollectionSchema, table: string): readonly string[] {
  const filters = schema.filterFields.map(
    (field) =>
      `CREATE INDEX IF NOT EXISTS ${indexOf(table, `filter ${field}`)}
       ON ${quoted(table)} (project_id, deleted, ${column(field)}, created_at, sort_id)`,
  );
  const dues = schema.dueFields.map(
    (field) =>
      `CREATE INDEX IF NOT EXISTS ${indexOf(table, `due ${field}`)} ON ${quoted(table)} (${column(field)})
       WHERE ${column(field)} IS NOT NULL AND deleted = 0`,
  );
  return [...filters, ...dues];
}
