import type { CollectionSchema, Condition, Filter, PageQuery } from '@ports/read-models.port';
import { createIndexes, createTable } from './collection-columns.js';
import { branchesOf, pageQuery, placedQuery, placesQuery, stretchEndQuery, stretchQuery } from './page-query.js';
import { type Database, connect } from '../database.js';

const NOTES: CollectionSchema = { name: 'notes', version: 1, filterFields: ['status', 'phone'], dueFields: [] };
const TABLE = 'rows notes 1';
const AFTER = { createdAt: 50, sortId: '5' };

describe('how a page is found', () => {
  let db: Database;

  beforeAll(() => {
    db = connect(':memory:', { busyMs: 0 });
    db.exec(createTable(NOTES, TABLE));
    for (const sql of createIndexes(NOTES, TABLE)) db.exec(sql);
  });
  afterAll(() => db.close());

  function plansOf(filter: Filter, { by, ...query }: Partial<PageQuery> & { by?: string } = {}): string[] {
    const whole: PageQuery = { projectId: 'p', filter, order: 'desc', limit: 20, ...query };
    return branchesOf(whole).map((branch) => {
      const { sql, values } = pageQuery(NOTES, TABLE, branch, whole, 'rows', by);
      const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as unknown as [number, number, number, string][];
      return rows.map(([, , , detail]) => detail).join('; ');
    });
  }
  const created = (op: Condition['op'], value: number): Condition => ({ field: 'createdAt', op, value });

  it.each(['asc', 'desc'] as const)('walks the rows in their own order, from the key on (%s)', (order) => {
    const [plan] = plansOf([], { order, after: AFTER });
    expect(plan).toMatch(
      /USING INDEX rows notes 1 by place \(project_id=\? AND deleted=\? AND \(created_at,sort_id\)[<>]\(\?,\?\)\)$/,
    );
  });

  it('walks the index of a field from the key on, once per value, and sorts nothing', () => {
    const plans = plansOf([[{ field: 'status', op: 'in', value: ['a', 'b', null, 'a'] }]], { by: 'status', after: AFTER });
    expect(plans).toHaveLength(3);
    for (const plan of plans) {
      expect(plan).toContain('by filter status (project_id=? AND deleted=? AND f status=? AND (created_at,sort_id)<(?,?))');
      expect(plan).not.toContain('TEMP B-TREE');
    }
  });

  it('takes a hundred ranges at most: what would make more of them is looked at row by row', () => {
    const several = (field: string, count: number): Condition => ({
      field,
      op: 'in',
      value: Array.from({ length: count }, (_, index) => `${index}`),
    });
    expect(plansOf([[several('status', 10), several('phone', 10)]], { by: 'status' })).toHaveLength(100);
    expect(plansOf([[several('status', 10), several('phone', 11)]], { by: 'status' })).toHaveLength(10);
  });

  it.each([
    ['desc', 'lt', 60, true],
    ['desc', 'lte', 50, true],
    ['desc', 'lt', 50, false],
    ['desc', 'lte', 40, false],
    ['asc', 'gt', 40, true],
    ['asc', 'gte', 50, true],
    ['asc', 'gt', 50, false],
    ['asc', 'gte', 60, false],
  ] as const)('starts a page (%s) at the tighter of the key at 50 and a bound (%s %d)', (order, op, value, fromKey) => {
    const [plan] = plansOf([[created(op, value)]], { order, after: AFTER });
    expect(plan?.includes('(created_at,sort_id)')).toBe(fromKey);
    expect(/created_at[<>]\?/.test(plan ?? '')).toBe(!fromKey);
  });

  it('sorts what a range of a field gives without fetching the rows', () => {
    const [plan] = plansOf([[{ field: 'phone', op: 'prefix', value: '+49' }]], { by: 'phone', after: AFTER });
    expect(plan).toContain('USING COVERING INDEX rows notes 1 by filter phone');
  });

  it('takes places, and the end of a stretch, from an index alone; reads a stretch as one range, and places one by one', () => {
    const filter: Filter = [
      [
        { field: 'phone', op: 'prefix', value: '+49' },
        { field: 'status', op: 'eq', value: 'a' },
      ],
    ];
    const query: PageQuery = { projectId: 'p', filter, order: 'desc', limit: 20, after: AFTER };
    const planOf = ({ sql, values }: ReturnType<typeof placesQuery>) =>
      (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as unknown as [number, number, number, string][])
        .map(([, , , detail]) => detail)
        .join('; ');
    const [branch] = branchesOf(query);
    if (!branch) throw new Error('no branch');
    const walk = { by: 'status', branches: [branch] } as const;
    expect(planOf(stretchEndQuery(NOTES, TABLE, walk, query, 500))).toMatch(
      /^SEARCH .* USING COVERING INDEX rows notes 1 by filter status \(project_id=\? AND deleted=\? AND f status=\? AND \(created_at,sort_id\)<\(\?,\?\)\)$/,
    );
    expect(planOf(stretchQuery(NOTES, TABLE, walk, query, { createdAt: 20, sortId: '2' }))).toMatch(
      /^SEARCH .* USING INDEX rows notes 1 by filter status \(project_id=\? AND deleted=\? AND f status=\? AND created_at>\? AND \(created_at,sort_id\)<\(\?,\?\)\)$/,
    );
    expect(planOf(placesQuery(NOTES, TABLE, branch, query, 'phone'))).toMatch(
      /^SEARCH .* USING COVERING INDEX rows notes 1 by filter phone/,
    );
    expect(planOf(placedQuery(NOTES, TABLE, [branch], query, [AFTER]))).toContain(
      'SEARCH held USING INDEX rows notes 1 by place (project_id=? AND deleted=? AND created_at=? AND sort_id=?)',
    );
  });
});
