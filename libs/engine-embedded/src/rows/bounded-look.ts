import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Look, LookQuery, PageQuery, RowsSchema, SortKey, StoredRow } from '@ports/read-models.port';
import { compareKeys, inOrder, type RowColumns, toStored } from './row-columns.js';
import { stretchEndQuery, stretchQuery, type Walk } from './page-query.js';
import { type Query, toColumn, valuesOf } from './row-tests.js';

interface Looked {
  readonly schema: RowsSchema;
  readonly table: string;
  readonly stretches: { readonly first: number; readonly longest: number };
}

type Run = <Columns>(query: Query) => Columns[];

/** Runs queries as of one instant: a row that changes its value in between would be found twice, or not at all. */
type AtOnce = <Found>(queries: (run: Run) => Found) => Found;

/** Walks the index of one field in stretches, each of its values side by side, and yields in between. */
export async function boundedLook(looked: Looked, query: LookQuery, atOnce: AtOnce): Promise<Look> {
  const { projectId, order, limit, reach } = query;
  const { first, longest } = looked.stretches;
  const walks = walksOf(query);
  const rows: StoredRow[] = [];
  let left = Math.floor(reach / Math.max(1, walks.length));
  let after = query.after;
  for (let stretch = first; walks.length > 0; stretch = Math.min(2 * stretch, longest)) {
    const each = Math.max(1, Math.min(left, Math.floor(stretch / walks.length)));
    const ahead = { projectId, order, filter: [], limit: limit - rows.length, ...(after && { after }) };
    const { found, end } = atOnce((run) => stretchOf(looked, walks, ahead, each, run));
    rows.push(...found);
    left -= each;
    if (!end || rows.length >= limit) break;
    if (left <= 0) return { rows, end };
    after = end;
    await nextTurn();
  }
  return { rows, end: null };
}

/** `end` is the first place at which a value has more rows than are looked at; null where none has. */
function stretchOf({ schema, table }: Looked, walks: readonly Walk[], ahead: PageQuery, each: number, run: Run) {
  const sign = ahead.order === 'desc' ? -1 : 1;
  const ends = walks.flatMap((walk) => run<readonly [number, string]>(stretchEndQuery(schema, table, walk, ahead, each)));
  const keys = ends.map(([createdAt, sortId]): SortKey => ({ createdAt, sortId }));
  const [end = null] = keys.toSorted((left, right) => sign * compareKeys(left, right));
  const bounded = end ? walks.map((walk) => upToEnd(walk, ahead.order)) : walks;
  const found = bounded.map((walk) => run<RowColumns>(stretchQuery(schema, table, walk, ahead, end)).map(toStored));
  return { found: inOrder(found, ahead), end };
}

/** Without bounds beyond the end of a stretch: SQLite might read on up to one of them. */
function upToEnd({ by, branches: [branch] }: Walk, order: PageQuery['order']): Walk {
  const farther = order === 'desc' ? ['gt', 'gte'] : ['lt', 'lte'];
  const others = branch.others.filter(({ field, op }) => field !== 'createdAt' || !farther.includes(op));
  return { by, branches: [{ ...branch, others }] };
}

function walksOf({ by, filter }: LookQuery): readonly Walk[] {
  const values = [...new Set(valuesOf(by.value).map(toColumn))];
  return values.map((value) => ({
    by: by.field,
    branches: [{ deleted: 0, equal: [{ field: by.field, value }], others: filter }],
  }));
}
