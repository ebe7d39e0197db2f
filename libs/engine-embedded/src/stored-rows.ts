import type { CollectionSchema, DueKey, ListedRow, ListQuery, PageQuery, SortKey, StoredRow } from '@ports/read-models.port';
import { column, quoted, tableOf } from './collection-table.js';
import { Listing, asRow, textIn } from './listing.js';
import { type Branch, type Query, type Selection, branchesOf, countQuery, pageQuery } from './page-plan.js';
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
    const find = this.statement(`SELECT stored, listing FROM ${quoted(this.table)} WHERE id = ?`);
    return ids.map((id) => {
      const found = find.get(id) as unknown as RowColumns | undefined;
      return found ? toStored(found) : null;
    });
  }

  page(query: PageQuery): StoredRow[] {
    const found = this.branches<RowColumns>(query, 'rows');
    return inOrder(
      found.map((rows) => rows.map(toStored)),
      query,
    );
  }

  /** Without the rows themselves; only where a text is missing or no longer holds they are read after all. */
  list(query: ListQuery): ListedRow[] {
    const found = this.branches<readonly [string | null]>(query, 'listings');
    if (found.some((rows) => rows.some(([listing]) => listing === null))) return this.mixed(query);
    const listed = found.map((rows) => rows.map(([listing]) => new Listing(listing ?? '')));
    return inOrder(listed, query);
  }

  private mixed(query: ListQuery): ListedRow[] {
    const found = this.branches<RowColumns>(query, 'rows');
    const listed = found.map((rows) =>
      rows.map(([stored, listing]) => (listing === null ? asRow(toStored([stored, null])) : new Listing(listing))),
    );
    return inOrder<ListedRow>(listed, query);
  }

  due(field: string, upTo: number, limit: number, after?: DueKey): StoredRow[] {
    if (!this.schema.dueFields.includes(field)) throw new TypeError(`${this.schema.name} has no due field ${field}`);
    const name = column(field);
    const beyond = after ? `AND (${name}, id) > (?, ?)` : '';
    const sql = `SELECT stored, listing FROM ${quoted(this.table)}
      WHERE ${name} <= ? ${beyond} AND ${name} IS NOT NULL AND deleted = 0 ORDER BY ${name}, id LIMIT ?`;
    const key = after ? [after.value, after.id] : [];
    return this.all<RowColumns>({ sql, values: [upTo, ...key, limit] }).map(toStored);
  }

  private branches<Columns>(query: ListQuery, selection: Selection): Columns[][] {
    const branches = branchesOf(query);
    const read = () => branches.map((branch) => this.all<Columns>(this.plan(branch, query, selection)));
    return branches.length > 1 ? this.asOfOneInstant(read) : read();
  }

  /** A row that the writer moves from one branch to another meanwhile would be in neither. */
  private asOfOneInstant<Found>(read: () => Found): Found {
    this.statement('BEGIN').run();
    try {
      return read();
    } finally {
      this.statement('COMMIT').run();
    }
  }

  /** Through the index that leaves least to look at; only a contest between indexes needs counting. */
  private plan(branch: Branch, query: ListQuery, selection: Selection): Query {
    const exact = branch.equal.map(({ field }) => field);
    const ranges = branch.others.filter(({ field, op }) => field !== 'createdAt' && op !== 'in').map(({ field }) => field);
    const [only] = exact;
    if (exact.length === 1 && ranges.length === 0) return pageQuery(this.schema, this.table, branch, query, selection, only);
    let best: string | undefined = only;
    let fewest = TOO_MANY_TO_SORT;
    for (const field of new Set([...exact, ...ranges])) {
      const count = this.count(branch, query, field, fewest);
      if (count < fewest) [best, fewest] = [field, count];
    }
    return pageQuery(this.schema, this.table, branch, query, selection, best);
  }

  private count(branch: Branch, query: PageQuery, field: string, enough: number): number {
    const { sql, values } = countQuery(this.schema, this.table, branch, query, field, enough);
    return (this.statement(sql).get(...values) as unknown as [number])[0];
  }

  private all<Columns>({ sql, values }: Query): Columns[] {
    return this.statement(sql).all(...values) as unknown as Columns[];
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

type RowColumns = readonly [stored: string, listing: string | null];

function toStored([stored, listing]: RowColumns): StoredRow {
  const row = JSON.parse(stored) as StoredRow;
  return listing === null ? row : { text: textIn(listing), ...row };
}

/** What one branch found is in order; a row that several branches found counts once. */
function inOrder<Item extends SortKey>([only = [], ...more]: readonly Item[][], { order, limit }: PageQuery): Item[] {
  if (more.length === 0) return only;
  const sign = order === 'desc' ? -1 : 1;
  const sorted = [only, ...more].flat().toSorted((left, right) => sign * compare(left, right));
  return sorted.filter((row, index) => index === 0 || compare(row, sorted[index - 1] ?? row) !== 0).slice(0, limit);
}

function compare(left: SortKey, right: SortKey): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt;
  if (left.sortId === right.sortId) return 0;
  return left.sortId < right.sortId ? -1 : 1;
}
