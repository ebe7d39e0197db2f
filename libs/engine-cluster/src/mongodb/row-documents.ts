import { nameOf } from '@ports/failure';
import { type CollectionSchema, type RowsSchema, type FieldValue, RowsRefused, type StoredRow } from '@ports/read-models.port';
import { BSON } from 'mongodb';

export interface RowDocument {
  readonly _id: string;
  readonly projectId: string;
  readonly createdAt: number;
  readonly sortId: string;
  readonly position: string;
  readonly deleted: boolean;
  /** As JSON: documents cannot hold every member. */
  readonly row: string;
  readonly text?: string;
  /** The members that filters and `due` compare; null if absent. */
  readonly f: Readonly<Record<string, FieldValue>>;
}

/** The server allows 16 MiB; leaves room for the rest of a request. */
const MAX_BYTES = 15 * 1024 * 1024;

export const ROW = { f: 0 } as const;

export function fieldsOf({ filterFields, dueFields }: Pick<RowsSchema, 'filterFields' | 'dueFields'>): readonly string[] {
  return [...new Set([...filterFields, ...dueFields])];
}

export interface RowDocuments {
  readonly own: readonly RowDocument[];
  readonly shared: readonly RowDocument[];
}

export function documentsOfBoth(
  schema: CollectionSchema,
  rows: readonly StoredRow[],
  shared: readonly StoredRow[],
): RowDocuments {
  if (shared.length > 0 && !schema.shared) throw new TypeError(`${schema.name} has no shared collection`);
  return { own: toDocuments(schema, rows), shared: schema.shared ? toDocuments(schema.shared, shared) : [] };
}

/** The rows as stored. Throws `RowsRefused` if one cannot be. */
export function toDocuments(schema: RowsSchema, rows: readonly StoredRow[]): readonly RowDocument[] {
  const fields = fieldsOf(schema);
  return rows.map((stored) => {
    const document = toDocument(stored, fields);
    if (BSON.calculateObjectSize(document) > MAX_BYTES) throw new RowsRefused('a row is larger than 15 MiB');
    return document;
  });
}

function toDocument(stored: StoredRow, fields: readonly string[]): RowDocument {
  const { id, projectId, createdAt, sortId, position, deleted, text } = stored;
  const members = stored.row as Readonly<Record<string, unknown>>;
  const f = Object.fromEntries(fields.map((field) => [field, toField(members[field])]));
  const kept = { _id: id, projectId, createdAt, sortId, position, deleted, row: jsonOf(stored.row) };
  return text === undefined ? { ...kept, f } : { ...kept, text, f };
}

function jsonOf(row: object): string {
  try {
    return JSON.stringify(row);
  } catch (error) {
    throw new RowsRefused(nameOf(error));
  }
}

function toField(value: unknown): FieldValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

export function toStored(document: Omit<RowDocument, 'f'>): StoredRow {
  const { _id: id, projectId, createdAt, sortId, position, deleted, text } = document;
  const row = { id, projectId, createdAt, sortId, position, deleted, row: JSON.parse(document.row) as object };
  return text === undefined ? row : { ...row, text };
}
