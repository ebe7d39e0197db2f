import { textSuccessor } from '@kit/text-successor';
import type { RowsSchema, Condition, DueKey, FieldValue, LookQuery, PageQuery, SortKey } from '@ports/read-models.port';
import type { Document } from 'mongodb';

/** Rows up to `upTo`, that place included; all of them without it. */
export function rowFilter(schema: RowsSchema, query: Omit<PageQuery, 'limit'>, upTo?: SortKey): Document {
  const { projectId, filter, order, after, includeDeleted } = query;
  const scope = scopeOf(projectId, includeDeleted);
  const beyond = [...(after ? [beyondKey(after, order)] : []), ...(upTo ? [upToKey(upTo, order)] : [])];
  const alternatives = filter.map((conditions) => ({
    $and: [scope, ...beyond, ...conditions.map((each) => testOf(schema, each))],
  }));
  return alternatives.length === 0 ? { $and: [scope, ...beyond] } : { $or: alternatives };
}

function scopeOf(projectId: string, includeDeleted = false): Document {
  return { projectId: { $eq: projectId }, deleted: includeDeleted ? { $in: [false, true] } : { $eq: false } };
}

/** The rows due up to a value, after a key: exactly those in the index. */
export function dueFilter(schema: RowsSchema, field: string, upTo: number, after?: DueKey): Document {
  if (!schema.dueFields.includes(field)) throw new TypeError(`${schema.name} has no due field ${field}`);
  const path = pathOf(field);
  const due = { deleted: { $eq: false }, [path]: { $type: 'number', $lte: upTo, ...(after && { $gte: after.value }) } };
  if (!after) return due;
  return { ...due, $or: [{ [path]: { $gt: after.value } }, { _id: { $gt: after.id } }] };
}

/**
 * The rows along which a look goes, whether or not they meet its filter. Each alternative is one range of the index's keys: any other form
 * would fetch the rows as well, or sort them.
 */
export function lookedAtFilter(schema: RowsSchema, { projectId, by, filter, order, after }: LookQuery): Document {
  const path = comparedPath(schema, by.field);
  const created = filter.filter(({ field }) => field === 'createdAt').map((each) => testOf(schema, each));
  const places = after ? placesBeyond(after, order) : [{}];
  const ranges = listOf(by.value).flatMap((value) => places.map((place) => [{ [path]: { $eq: value } }, place]));
  return { $or: ranges.map((range) => ({ $and: [scopeOf(projectId), ...created, ...range] })) };
}

/** The rows that a look finds up to its end. */
export function foundFilter(schema: RowsSchema, { by, filter, ...query }: LookQuery, end: SortKey | undefined): Document {
  return rowFilter(schema, { ...query, filter: [[by, ...filter]] }, end);
}

export const pathOf = (field: string): string => `f.${field}`;

/** A range of keys, without those of the same time up to the key: MongoDB would try an `$or` as ranges of their own, and sort those. */
function beyondKey({ createdAt, sortId }: SortKey, order: PageQuery['order']): Document {
  const [from, upTo] = order === 'desc' ? (['$lte', '$gte'] as const) : (['$gte', '$lte'] as const);
  return { createdAt: { [from]: createdAt }, $nor: [{ createdAt: { $eq: createdAt }, sortId: { [upTo]: sortId } }] };
}

function placesBeyond({ createdAt, sortId }: SortKey, order: PageQuery['order']): readonly Document[] {
  const beyond = order === 'desc' ? '$lt' : '$gt';
  return [{ createdAt: { [beyond]: createdAt } }, { createdAt: { $eq: createdAt }, sortId: { [beyond]: sortId } }];
}

function upToKey({ createdAt, sortId }: SortKey, order: PageQuery['order']): Document {
  const [upTo, beyond] = order === 'desc' ? (['$gte', '$lt'] as const) : (['$lte', '$gt'] as const);
  return { createdAt: { [upTo]: createdAt }, $nor: [{ createdAt: { $eq: createdAt }, sortId: { [beyond]: sortId } }] };
}

function testOf(schema: RowsSchema, { field, op, value }: Condition): Document {
  const path = comparedPath(schema, field);
  if (op === 'in') return { [path]: { $in: listOf(value) } };
  return op === 'prefix' ? { [path]: rangeOf(String(value)) } : { [path]: { [`$${op}`]: value } };
}

/** A range, since a pattern would refuse U+0000. */
function rangeOf(prefix: string): Document {
  const end = textSuccessor(prefix);
  return end === null ? { $gte: prefix } : { $gte: prefix, $lt: end };
}

export function expressionOf(schema: RowsSchema, { field, op, value }: Condition): Document {
  const path = `$${comparedPath(schema, field)}`;
  if (op === 'in') return { $in: [path, { $literal: listOf(value) }] };
  if (op === 'eq') return { $eq: [path, { $literal: value }] };
  const bounds = op === 'prefix' ? rangeOf(String(value)) : { [`$${op}`]: value };
  const compared = Object.entries(bounds).map(([comparison, bound]) => ({ [comparison]: [path, { $literal: bound }] }));
  // Unlike filters, expressions compare values of different types.
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
