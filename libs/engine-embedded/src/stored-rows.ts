import type { CollectionSchema, PageQuery, StoredRow } from '@ports/read-models.port';
import { column, quoted, tableOf } from './collection-table.js';
import { type Branch, type Query, branchesOf, countQuery, pageQuery } from './page-plan.js';
import type { Database, Statement } from './sqlite.js';

const STATEMENTS_KEPT = 200;
/** From so many rows on, walking the list's own order finds a page sooner than sorting what an index gives. */
const TOO_MANY_TO_SORT = 5000;

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
    const find = this.statement(`SELECT stored FROM ${quoted(this.table)} WHERE id = ?`);
    return ids.map((id) => {
      const found = find.get(id) as unknown as [string] | undefined;
      return found ? parse(found) : null;
    });
  }

  page(query: PageQuery): StoredRow[] {
    const [only, ...more] = branchesOf(query).map((branch) => this.all(this.plan(branch, query)));
    return more.length === 0 ? (only ?? []) : merge([only ?? [], ...more].flat(), query);
  }

  due(field: string, upTo: number, limit: number): StoredRow[] {
    if (!this.schema.dueFields.includes(field)) throw new TypeError(`${this.schema.name} has no due field ${field}`);
    const name = column(field);
    const sql = `SELECT stored FROM ${quoted(this.table)} WHERE ${name} <= ? AND ${name} IS NOT NULL AND deleted = 0 ORDER BY ${name} LIMIT ?`;
    return this.all({ sql, values: [upTo, limit] });
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

  private all({ sql, values }: Query): StoredRow[] {
    return (this.statement(sql).all(...values) as unknown as [string][]).map(parse);
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
function merge(rows: readonly StoredRow[], { order, limit }: PageQuery): StoredRow[] {
  const sign = order === 'desc' ? -1 : 1;
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  return unique.sort((left, right) => sign * compare(left, right)).slice(0, limit);
}

function compare(left: StoredRow, right: StoredRow): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt;
  if (left.sortId === right.sortId) return 0;
  return left.sortId < right.sortId ? -1 : 1;
}

function parse([stored]: [string]): StoredRow {
  return JSON.parse(stored) as StoredRow;
}
