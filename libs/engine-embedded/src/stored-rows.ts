import type { CollectionSchema, PageQuery, StoredRow } from '@ports/read-models.port';
import { column, quoted, tableOf } from './collection-table.js';
import { type Branch, type Query, branchesOf, countQuery, pageQuery } from './page-plan.js';
import type { Database, Statement } from './sqlite.js';

type Row = [id: string, projectId: string, createdAt: number, sortId: string, position: string, deleted: number, row: string];

const COLUMNS = 'id, project_id, created_at, sort_id, position, deleted, row';
const STATEMENTS_KEPT = 200;
/** From so many rows on, walking the list's own order finds a page sooner than sorting what an index gives. */
const TOO_MANY_TO_SORT = 4000;

/** The rows of one generation of a collection, as they lie in the file. */
export class StoredRows {
  private readonly statements = new Map<string, Statement>();
  private readonly table: string;

  constructor(
    private readonly db: Database,
    private readonly schema: CollectionSchema,
    generation: number,
  ) {
    this.table = tableOf(schema.name, generation);
  }

  getMany(ids: readonly string[]): (StoredRow | null)[] {
    const find = this.statement(`SELECT ${COLUMNS} FROM ${quoted(this.table)} WHERE id = ?`);
    return ids.map((id) => {
      const row = find.get(id) as unknown as Row | undefined;
      return row ? toStoredRow(row) : null;
    });
  }

  page(query: PageQuery): StoredRow[] {
    const branches = branchesOf(query).map((branch) => this.all(this.plan(branch, query)));
    if (branches.length === 1) return (branches[0] ?? []).map(toStoredRow);
    return merge(branches.flat(), query).map(toStoredRow);
  }

  due(field: string, upTo: number, limit: number): StoredRow[] {
    if (!this.schema.dueFields.includes(field)) throw new TypeError(`${this.schema.name} has no due field ${field}`);
    const name = column(field);
    const sql = `SELECT ${COLUMNS} FROM ${quoted(this.table)} WHERE ${name} <= ? AND ${name} IS NOT NULL AND deleted = 0 ORDER BY ${name} LIMIT ?`;
    return this.all({ sql, values: [upTo, limit] }).map(toStoredRow);
  }

  /** Through the index that leaves least to look at; only a contest between indexes needs counting. */
  private plan(branch: Branch, query: PageQuery): Query {
    const exact = branch.equal.map(({ field }) => field);
    const ranges = branch.others.filter(({ field, op }) => field !== 'createdAt' && op !== 'in').map(({ field }) => field);
    const [only] = exact;
    if (exact.length === 1 && ranges.length === 0) return pageQuery(this.schema, this.table, branch, query, only);
    let best: string | undefined = only;
    let fewest = TOO_MANY_TO_SORT;
    for (const field of new Set([...exact, ...ranges])) {
      const count = this.count(branch, query, field, fewest);
      if (count < fewest) [best, fewest] = [field, count];
    }
    return pageQuery(this.schema, this.table, branch, query, best);
  }

  private count(branch: Branch, query: PageQuery, field: string, enough: number): number {
    const { sql, values } = countQuery(this.schema, this.table, branch, query, field, enough);
    return (this.statement(sql).get(...values) as unknown as [number])[0];
  }

  private all({ sql, values }: Query): Row[] {
    return this.statement(sql).all(...values) as unknown as Row[];
  }

  private statement(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    if (this.statements.size >= STATEMENTS_KEPT) this.statements.clear();
    const statement = this.db.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

/** A row that several branches found counts once. */
function merge(rows: readonly Row[], { order, limit }: PageQuery): Row[] {
  const sign = order === 'desc' ? -1 : 1;
  const unique = [...new Map(rows.map((row) => [row[0], row])).values()];
  return unique.sort((left, right) => sign * compare(left, right)).slice(0, limit);
}

function compare(left: Row, right: Row): number {
  if (left[2] !== right[2]) return left[2] - right[2];
  if (left[3] === right[3]) return 0;
  return left[3] < right[3] ? -1 : 1;
}

function toStoredRow([id, projectId, createdAt, sortId, position, deleted, row]: Row): StoredRow {
  return { id, projectId, createdAt, sortId, position, deleted: deleted === 1, row: JSON.parse(row) as object };
}
