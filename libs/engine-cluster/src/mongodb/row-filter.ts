import { textSuccessor } from '@kit/text-successor';
import type { RowsSchema, Condition, DueKey, FieldValue, PageQuery, SortKey } from '@ports/read-models.port';
import type { Document } from 'mongodb';

/** The rows that a page is a part of. */
export function rowFilter(schema: RowsSchema, query: PageQuery): Document {
  const { projectId, filter, order, after, includeDeleted } = query;
  const scope = { projectId: { $eq: projectId }, deleted: includeDeleted ? { $in: [false, true] } : { $eq: false } };
  const beyond = after ? [beyondKey(after, order)] : [];
  const alternatives = filter.map((conditions) => ({
    $and: [scope, ...beyond, ...conditions.map((each) => testOf(schema, each))],
  }));
  return alternatives.length === 0 ? { $and: [scope, ...beyond] } : { $or: alternatives };
}

/** The rows that are due up to a value, beyond a key. The index has no others. */
export function dueFilter(schema: RowsSchema, field: string, upTo: number, after?: DueKey): Document {
  if (!schema.dueFields.includes(field)) throw new TypeError(`${schema.name} has no due field ${field}`);
  const path = pathOf(field);
  const due = { deleted: { $eq: false }, [path]: { $type: 'number', $lte: upTo, ...(after && { $gte: after.value }) } };
  if (!after) return due;
  return { ...due, $or: [{ [path]: { $gt: after.value } }, { _id: { $gt: after.id } }] };
}

export const pathOf = (field: string): string => `f.${field}`;

/** One range of keys, and a test of those with the same time. */
function beyondKey({ createdAt, sortId }: SortKey, order: PageQuery['order']): Document {
  const [beyond, from] = order === 'desc' ? (['$lt', '$lte'] as const) : (['$gt', '$gte'] as const);
  return { createdAt: { [from]: createdAt }, $or: [{ createdAt: { [beyond]: createdAt } }, { sortId: { [beyond]: sortId } }] };
}

function testOf(schema: RowsSchema, { field, op, value }: Condition): Document {
  const path = comparedPath(schema, field);
  if (op === 'in') return { [path]: { $in: listOf(value) } };
  return op === 'prefix' ? { [path]: rangeOf(String(value)) } : { [path]: { [`$${op}`]: value } };
}

/** Texts that begin so are a range: a pattern would refuse U+0000. */
function rangeOf(prefix: string): Document {
  const end = textSuccessor(prefix);
  return end === null ? { $gte: prefix } : { $gte: prefix, $lt: end };
}

/** Whether a condition holds, as an expression. */
export function expressionOf(schema: RowsSchema, { field, op, value }: Condition): Document {
  const path = `$${comparedPath(schema, field)}`;
  if (op === 'in') return { $in: [path, { $literal: listOf(value) }] };
  if (op === 'eq') return { $eq: [path, { $literal: value }] };
  const bounds = op === 'prefix' ? rangeOf(String(value)) : { [`$${op}`]: value };
  const compared = Object.entries(bounds).map(([comparison, bound]) => ({ [comparison]: [path, { $literal: bound }] }));
  // Unlike a filter, an expression orders values of all kinds.
  return { $and: [{ $eq: [kindOf(path), kindOf({ $literal: value })] }, ...compared] };
}

function kindOf(expression: Document | string): Document {
  return { $cond: [{ $isNumber: expression }, 'number', { $type: expression }] };
}

function comparedPath(schema: RowsSchema, field: string): string {
  if (field === 'createdAt') return field;
  if (!schema.filterFields.includes(field)) throw new TypeError(`${schema.name} has no filter field ${field}`);
  return pathOf(field);
}

function listOf(value: Condition['value']): readonly FieldValue[] {
  return Array.isArray(value) ? [...new Set(value as readonly FieldValue[])] : [value as FieldValue];
}
