import type { RowsSchema, Condition, Filter, ListQuery, PageQuery, SortKey } from '@ports/read-models.port';
import { indexOf, placeIndexOf, quoted } from './collection-columns.js';
import { type Query, type Value, equalTest, nameOf, testOf, toColumn, valuesOf } from './row-tests.js';

/** A conjunction of conditions: one range of one index. */
export interface Branch {
  readonly equal: readonly { readonly field: string; readonly value: Value }[];
  readonly others: readonly Condition[];
  readonly deleted: 0 | 1;
}

const MAX_BRANCHES = 100;

/** The branches whose union answers the query. `in` yields a branch per value, so no branch needs sorting. */
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
    if (branches.length * values.length > MAX_BRANCHES) {
      branches = branches.map((branch) => ({ ...branch, others: [...branch.others, condition] }));
    } else {
      branches = branches.flatMap((branch) =>
        values.map((value) => ({ ...branch, equal: [...branch.equal, { field: condition.field, value }] })),
      );
    }
  }
  return branches;
}

export type Selection = 'rows' | 'listings';

/** The page of one branch, by the index of field `by` or in list order. */
export function pageQuery(
  schema: RowsSchema,
  table: string,
  whole: Branch,
  query: ListQuery,
  selection: Selection,
  by?: string,
): Query {
  const { order, limit } = query;
  const { branch, after } = tightened(whole, query);
  const range = rangeOf(schema, table, branch, query.projectId, by);
  const beyond = beyondKey(after, order);
  const sorted = sortedBy(order);
  const page = `${range.sql} ${beyond.sql} ${sorted} LIMIT ?`;
  const all = [...range.values, ...beyond.values, limit];
  const inOrder = by === undefined || branch.equal.some(({ field }) => field === by);
  const wanted = selectedBy(schema, selection, query);
  if (inOrder) return { sql: `SELECT ${wanted.sql} ${page}`, values: [...wanted.values, ...all] };
  // The inner query sorts by the index alone; only the page's rows are fetched.
  const sql = `SELECT ${wanted.sql} FROM ${quoted(table)} WHERE row IN (SELECT row ${page}) ${sorted}`;
  return { sql, values: [...wanted.values, ...all] };
}

/** Branches found row by row in one pass over one index: of field `by`, or in list order. */
export interface Walk {
  readonly branches: readonly [Branch, ...Branch[]];
  readonly by: string | undefined;
}

/** The matching rows between the query's key and `end`, possibly fewer than its limit. */
export function stretchQuery(schema: RowsSchema, table: string, walk: Walk, query: ListQuery, end: SortKey | null): Query {
  const { sql, values } = placesOf(schema, table, walk, query);
  const { order, limit } = query;
  const upTo = end
    ? `AND created_at ${order === 'desc' ? '>=' : '<='} ? AND (created_at, sort_id) ${order === 'desc' ? '>=' : '<='} (?, ?)`
    : '';
  const any = anyOf(schema, walk.branches);
  const wanted = selectedBy(schema, 'rows', query);
  return {
    sql: `SELECT ${wanted.sql} ${sql} ${upTo} AND ${any.sql} ${sortedBy(order)} LIMIT ?`,
    values: [...wanted.values, ...values, ...(end ? [end.createdAt, end.createdAt, end.sortId] : []), ...any.values, limit],
  };
}

/** The sort keys, unordered, of rows after the query's key that meet the conditions of field `by`. */
export function placesQuery(schema: RowsSchema, table: string, whole: Branch, query: ListQuery, by: string): Query {
  const { branch, after } = tightened(narrowed(whole, [by, 'createdAt']), query);
  const { sql, values } = rangeOf(schema, table, branch, query.projectId, by);
  const beyond = beyondKey(after, query.order);
  return { sql: `SELECT created_at, sort_id ${sql} ${beyond.sql}`, values: [...values, ...beyond.values] };
}

export function placedQuery(
  schema: RowsSchema,
  table: string,
  branches: readonly [Branch, ...Branch[]],
  query: ListQuery,
  places: readonly SortKey[],
): Query {
  // Without `IS TRUE` SQLite would choose another index and scan it for every key.
  const any = anyOf(schema, branches);
  const wanted = selectedBy(schema, 'rows', query);
  const sought = JSON.stringify(places.map(({ createdAt, sortId }) => [createdAt, sortId]));
  return {
    sql: `SELECT ${wanted.sql} FROM json_each(?) AS place CROSS JOIN ${quoted(table)} AS held INDEXED BY ${placeIndexOf(table)}
      WHERE held.project_id = ? AND held.deleted = ? AND created_at = place.value ->> 0 AND sort_id = place.value ->> 1
      AND ${any.sql} IS TRUE ${sortedBy(query.order)} LIMIT ?`,
    values: [...wanted.values, sought, query.projectId, branches[0].deleted, ...any.values, query.limit],
  };
}

function anyOf(schema: RowsSchema, branches: readonly Branch[]): Query {
  const tests = branches.map((branch) => [
    ...branch.equal.map(({ field, value }) => equalTest(nameOf(schema, field), value)),
    ...branch.others.map((condition) => testOf(schema, condition)),
  ]);
  const any = tests.map((all) => all.map((test) => test.sql).join(' AND ') || 'TRUE').join(') OR (');
  return { sql: `((${any}))`, values: tests.flat().flatMap((test) => test.values) };
}

/** The sort key of the last of the next `rows` rows of a walk after the query's key. */
export function stretchEndQuery(schema: RowsSchema, table: string, walk: Walk, query: ListQuery, rows: number): Query {
  const { sql, values } = placesOf(schema, table, walk, query);
  return { sql: `SELECT created_at, sort_id ${sql} ${sortedBy(query.order)} LIMIT 1 OFFSET ?`, values: [...values, rows - 1] };
}

function placesOf(schema: RowsSchema, table: string, { branches, by }: Walk, query: ListQuery): Query {
  const common = inCommon(branches);
  const inOrder: Branch = {
    deleted: common.deleted,
    equal: common.equal.filter(({ field }) => field === by),
    others: common.others.filter(({ field }) => field === 'createdAt'),
  };
  const { branch, after } = tightened(inOrder, query);
  const { sql, values } = rangeOf(schema, table, branch, query.projectId, by);
  const beyond = beyondKey(after, query.order);
  return { sql: `${sql} ${beyond.sql}`, values: [...values, ...beyond.values] };
}

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

function beyondKey(key: SortKey | undefined, order: ListQuery['order']): Query {
  if (!key) return { sql: '', values: [] };
  return { sql: `AND (created_at, sort_id) ${order === 'desc' ? '<' : '>'} (?, ?)`, values: [key.createdAt, key.sortId] };
}

function sortedBy(order: ListQuery['order']): string {
  return order === 'desc' ? 'ORDER BY created_at DESC, sort_id DESC' : 'ORDER BY created_at, sort_id';
}

/** An outdated listing is read as null. */
function selectedBy(schema: RowsSchema, selection: Selection, { outdated }: ListQuery): Query {
  const test = outdated && testOf(schema, outdated);
  const listing = test ? `iif(${test.sql}, NULL, listing)` : 'listing';
  return { sql: selection === 'rows' ? `stored, ${listing}` : listing, values: test?.values ?? [] };
}

/** Keeps only the tightest bound of `createdAt` on the key's side: SQLite might start from any of them. */
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

/** Counts the rows that meet a branch's conditions of one field, up to `enough`. */
export function countQuery(
  schema: RowsSchema,
  table: string,
  branch: Branch,
  query: PageQuery,
  by: string,
  enough: number,
): Query {
  const { sql, values } = rangeOf(schema, table, narrowed(branch, [by]), query.projectId, by);
  return { sql: `SELECT count(*) FROM (SELECT 1 ${sql} LIMIT ?)`, values: [...values, enough] };
}

function narrowed({ deleted, equal, others }: Branch, fields: readonly string[]): Branch {
  return {
    deleted,
    equal: equal.filter(({ field }) => fields.includes(field)),
    others: others.filter(({ field }) => fields.includes(field)),
  };
}

function rangeOf(schema: RowsSchema, table: string, branch: Branch, projectId: string, by: string | undefined): Query {
  const tests = [
    { sql: 'project_id = ?', values: [projectId] },
    { sql: 'deleted = ?', values: [branch.deleted] },
    ...branch.equal.map(({ field, value }) => equalTest(nameOf(schema, field), value)),
    ...branch.others.map((condition) => testOf(schema, condition)),
  ];
  const index = by === undefined ? placeIndexOf(table) : indexOf(table, `filter ${by}`);
  return {
    sql: `FROM ${quoted(table)} INDEXED BY ${index} WHERE ${tests.map((test) => test.sql).join(' AND ')}`,
    values: tests.flatMap((test) => test.values),
  };
}
