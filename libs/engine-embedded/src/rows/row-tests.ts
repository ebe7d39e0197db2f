import { textSuccessor } from '@kit/text-successor';
import type { RowsSchema, Condition, FieldValue } from '@ports/read-models.port';
import { column } from './collection-columns.js';

export type Value = string | number | null;

export interface Query {
  readonly sql: string;
  readonly values: readonly Value[];
}

export function toColumn(value: unknown): Value {
  if (typeof value === 'string') return withoutNul(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : null;
}

/** The driver truncates texts at U+0000. The escape keeps texts distinct and ordered. */
function withoutNul(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text;
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001');
}

/** Unlike `IS ?`, lets SQLite use the index columns that follow. */
export function equalTest(name: string, value: Value): Query {
  return value === null ? { sql: `${name} IS NULL`, values: [] } : { sql: `${name} = ?`, values: [value] };
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

export function testOf(schema: RowsSchema, { field, op, value }: Condition): Query {
  const name = nameOf(schema, field);
  const values = valuesOf(value).map(toColumn);
  switch (op) {
    case 'eq':
      return { sql: `${name} IS ?`, values };
    case 'in':
      return { sql: `(${values.map(() => `${name} IS ?`).join(' OR ') || 'FALSE'})`, values };
    case 'prefix':
      return prefixTest(name, withoutNul(String(value)));
    default:
      return { sql: `${name} ${COMPARISONS[op]} ?`, values };
  }
}

/** A range, so that an index can serve it. SQLite compares UTF-8 bytes, which is code point order. */
function prefixTest(name: string, prefix: string): Query {
  const end = textSuccessor(prefix);
  if (end === null) return { sql: `${name} >= ?`, values: [prefix] };
  return { sql: `(${name} >= ? AND ${name} < ?)`, values: [prefix, end] };
}

export function nameOf(schema: RowsSchema, field: string): string {
  if (field === 'createdAt') return 'created_at';
  if (!schema.filterFields.includes(field)) throw new TypeError(`${schema.name} has no filter field ${field}`);
  return column(field);
}

export function valuesOf(value: Condition['value']): readonly FieldValue[] {
  return Array.isArray(value) ? (value as readonly FieldValue[]) : [value as FieldValue];
}
