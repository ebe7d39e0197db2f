import type { CollectionSchema, Condition, FieldValue, Filter, ListQuery, PageQuery, SortKey } from '@ports/read-models.port';
import { PLACE, column, indexOf, quoted } from './collection-table.js';

type Value = string | number | null;

/** One range of one index: all of its conditions hold. */
export interface Branch {
  readonly equal: readonly { readonly field: string; readonly value: Value }[];
  readonly others: readonly Condition[];
  readonly deleted: 0 | 1;
}

export interface Query {
  readonly sql: string;
  readonly values: readonly Value[];
}

const MOST_BRANCHES = 100;

/** A value as filters compare it. */
export function toColumn(value: unknown): Value {
  if (typeof value === 'string') return withoutNul(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : null;
}

/** SQLite's driver ends a text at its first U+0000. What stands for it keeps texts apart and in their order. */
function withoutNul(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text;
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001');
}

/** The ranges whose union answers the query: `in` becomes one range per value, so that none needs sorting. */
export function branchesOf({ filter, includeDeleted }: Pick<PageQuery, 'filter' | 'includeDeleted'>): readonly Branch[] {
  const alternatives: Filter = filter.length === 0 ? [[]] : filter;
  const marks: readonly (0 | 1)[] = includeDeleted ? [0, 1] : [0];
  return alternatives.flatMap((conditions) => {
    const open = conditions.filter(({ field, op }) => field === 'createdAt' || (op !== 'eq' && op !== 'in'));
    const exact = conditions.filter((condition) => !open.includes(condition));
    return combinations(exact, open).flatMap(({ equal, others }) => marks.map((deleted) => ({ equal, others, deleted })));
  });
}

function combinations(exact: readonly Condition[], open: readonly Condition[]): readonly Omit<Branch, 'deleted'>[] {
  let branches: Omit<Branch, 'deleted'>[] = [{ equal: [], others: open }];
  for (const condition of exact) {
    const values = [...new Set(valuesOf(condition.value).map(toColumn))];
    if (branches.length * values.length > MOST_BRANCHES) {
      branches = branches.map((branch) => ({ ...branch, others: [...branch.others, condition] }));
    } else {
      branches = branches.flatMap((branch) =>
        values.map((value) => ({ ...branch, equal: [...branch.equal, { field: condition.field, value }] })),
      );
    }
  }
  return branches;
}

/** What a page consists of: what lists show of its rows, with or without the rows themselves. */
export type Selection = 'rows' | 'listings';

/** The page of one branch through the index of `by` (the rows' own order without). */
export function pageQuery(
  schema: CollectionSchema,
  table: string,
  whole: Branch,
  query: ListQuery,
  selection: Selection,
  by?: string,
): Query {
  const { order, limit } = query;
  const { branch, after } = tightened(whole, query);
  const range = rangeOf(schema, table, branch, query.projectId, by);
  const beyond = after ? `AND (created_at, sort_id) ${order === 'desc' ? '<' : '>'} (?, ?)` : '';
  const sorted = sortedBy(order);
  const page = `${range.sql} ${beyond} ${sorted} LIMIT ?`;
  const all = [...range.values, ...(after ? [after.createdAt, after.sortId] : []), limit];
  const inOrder = by === undefined || branch.equal.some(({ field }) => field === by);
  const wanted = selectedBy(schema, selection, query);
  if (inOrder) return { sql: `SELECT ${wanted.sql} ${page}`, values: [...wanted.values, ...all] };
  const place = PLACE.join(', ');
  // What must be sorted is sorted without touching more than the index; only the page itself is fetched.
  const sql = `SELECT ${wanted.sql} FROM ${quoted(table)} WHERE (${place}) IN (SELECT ${place} ${page}) ${sorted}`;
  return { sql, values: [...wanted.values, ...all] };
}

/** Branches that are told from one another by tests alone, in one order: of one index, or else of the rows themselves. */
export interface Walk {
  readonly branches: readonly [Branch, ...Branch[]];
  readonly by: string | undefined;
}

/** What a walk finds beyond the query's key up to `end`: however few, it looks no further. */
export function stretchQuery(schema: CollectionSchema, table: string, walk: Walk, query: ListQuery, end: SortKey | null): Query {
  const { sql, values } = placesOf(schema, table, walk, query);
  const { order, limit } = query;
  const upTo = end
    ? `AND created_at ${order === 'desc' ? '>=' : '<='} ? AND (created_at, sort_id) ${order === 'desc' ? '>=' : '<='} (?, ?)`
    : '';
  const tests = walk.branches.map((branch) => [
    ...branch.equal.map(({ field, value }) => equalTest(nameOf(schema, field), value)),
    ...branch.others.map((condition) => testOf(schema, condition)),
  ]);
  const any = tests.map((all) => all.map((test) => test.sql).join(' AND ') || 'TRUE').join(') OR (');
  const wanted = selectedBy(schema, 'rows', query);
  return {
    sql: `SELECT ${wanted.sql} ${sql} ${upTo} AND ((${any})) ${sortedBy(order)} LIMIT ?`,
    values: [
      ...[...wanted.values, ...values, ...(end ? [end.createdAt, end.createdAt, end.sortId] : [])],
      ...[...tests.flat().flatMap((test) => test.values), limit],
    ],
  };
}

/** The place of the last of so many rows that a walk passes beyond the query's key. */
export function stretchEndQuery(schema: CollectionSchema, table: string, walk: Walk, query: ListQuery, rows: number): Query {
  const { sql, values } = placesOf(schema, table, walk, query);
  return { sql: `SELECT created_at, sort_id ${sql} ${sortedBy(query.order)} LIMIT 1 OFFSET ?`, values: [...values, rows - 1] };
}

/** The rows that a walk passes, whatever its other tests say of them. */
function placesOf(schema: CollectionSchema, table: string, { branches, by }: Walk, query: ListQuery): Query {
  const common = inCommon(branches);
  const inOrder: Branch = {
    deleted: common.deleted,
    equal: common.equal.filter(({ field }) => field === by),
    others: common.others.filter(({ field }) => field === 'createdAt'),
  };
  const { branch, after } = tightened(inOrder, query);
  const { sql, values } = rangeOf(schema, table, branch, query.projectId, by);
  const beyond = after ? `AND (created_at, sort_id) ${query.order === 'desc' ? '<' : '>'} (?, ?)` : '';
  return { sql: `${sql} ${beyond}`, values: [...values, ...(after ? [after.createdAt, after.sortId] : [])] };
}

/** What all branches of a walk ask for alike. */
export function inCommon([first, ...more]: Walk['branches']): Branch {
  return {
    deleted: first.deleted,
    equal: first.equal.filter((one) =>
      more.every(({ equal }) => equal.some(({ field, value }) => field === one.field && value === one.value)),
    ),
    others: first.others.filter((one) =>
      more.every(({ others }) =>
        others.some(({ field, op, value }) => field === one.field && op === one.op && value === one.value),
      ),
    ),
  };
}

function sortedBy(order: ListQuery['order']): string {
  return order === 'desc' ? 'ORDER BY created_at DESC, sort_id DESC' : 'ORDER BY created_at, sort_id';
}

/** A listing that no longer holds comes as null. */
function selectedBy(schema: CollectionSchema, selection: Selection, { outdated }: ListQuery): Query {
  const test = outdated && testOf(schema, outdated);
  const listing = test ? `iif(${test.sql}, NULL, listing)` : 'listing';
  return { sql: selection === 'rows' ? `stored, ${listing}` : listing, values: test?.values ?? [] };
}

/** Of a key and bounds of `createdAt` on the same side only the tightest stays: SQLite starts from one of them, any of them. */
function tightened(branch: Branch, { after, order }: PageQuery): { branch: Branch; after: SortKey | undefined } {
  if (!after) return { branch, after };
  const sameSide = order === 'desc' ? ['lt', 'lte'] : ['gt', 'gte'];
  const bounds = branch.others.filter(({ field, op }) => field === 'createdAt' && sameSide.includes(op));
  const sign = order === 'desc' ? -1 : 1;
  const tighter = bounds.some(({ op, value }) => {
    const distance = sign * (Number(value) - after.createdAt);
    return op === 'lt' || op === 'gt' ? distance >= 0 : distance > 0;
  });
  if (tighter) return { branch, after: undefined };
  return { branch: { ...branch, others: branch.others.filter((condition) => !bounds.includes(condition)) }, after };
}

/** Counts rows of a branch under one field's conditions only, but no further than `enough`. */
export function countQuery(
  schema: CollectionSchema,
  table: string,
  branch: Branch,
  query: PageQuery,
  by: string,
  enough: number,
): Query {
  const alone: Branch = {
    deleted: branch.deleted,
    equal: branch.equal.filter(({ field }) => field === by),
    others: branch.others.filter(({ field }) => field === by),
  };
  const { sql, values } = rangeOf(schema, table, alone, query.projectId, by);
  return { sql: `SELECT count(*) FROM (SELECT 1 ${sql} LIMIT ?)`, values: [...values, enough] };
}

function rangeOf(schema: CollectionSchema, table: string, branch: Branch, projectId: string, by: string | undefined): Query {
  const tests = [
    { sql: 'project_id = ?', values: [projectId] },
    { sql: 'deleted = ?', values: [branch.deleted] },
    ...branch.equal.map(({ field, value }) => equalTest(nameOf(schema, field), value)),
    ...branch.others.map((condition) => testOf(schema, condition)),
  ];
  const hint = by === undefined ? 'NOT INDEXED' : `INDEXED BY ${indexOf(table, `filter ${by}`)}`;
  return {
    sql: `FROM ${quoted(table)} ${hint} WHERE ${tests.map((test) => test.sql).join(' AND ')}`,
    values: tests.flatMap((test) => test.values),
  };
}

function equalTest(name: string, value: Value): Query {
  return value === null ? { sql: `${name} IS NULL`, values: [] } : { sql: `${name} = ?`, values: [value] };
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function testOf(schema: CollectionSchema, { field, op, value }: Condition): Query {
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

/** As a range, so that an index can serve it. */
function prefixTest(name: string, prefix: string): Query {
  return { sql: `(${name} >= ? AND ${name} < ?)`, values: [prefix, `${prefix}\u{10ffff}`] };
}

function nameOf(schema: CollectionSchema, field: string): string {
  if (field === 'createdAt') return 'created_at';
  if (!schema.filterFields.includes(field)) throw new TypeError(`${schema.name} has no filter field ${field}`);
  return column(field);
}

function valuesOf(value: Condition['value']): readonly FieldValue[] {
  return Array.isArray(value) ? (value as readonly FieldValue[]) : [value as FieldValue];
}
