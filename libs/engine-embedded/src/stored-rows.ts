import type { CollectionSchema, DueKey, ListedRow, ListQuery, PageQuery, SortKey, StoredRow } from '@ports/read-models.port';
import { column, quoted, tableOf } from './collection-table.js';
import { Listing, asRow, textIn } from './listing.js';
import {
  type Branch,
  type Query,
  type Selection,
  type Walk,
  branchesOf,
  countQuery,
  inCommon,
  pageQuery,
  stretchEndQuery,
  stretchQuery,
} from './page-plan.js';
import type { Database, Statement } from './sqlite.js';
import { setImmediate as nextTurn } from 'node:timers/promises';

const STATEMENTS_KEPT = 200;
/** From so many rows on, walking the list's own order finds a page sooner than sorting what an index gives. */
const TOO_MANY_TO_SORT = 5000;
/** Rows to look at: what is asked for is mostly near, and the longest stretch takes some milliseconds. */
const STRETCHES = { first: 100, longest: 500 };

/** What is still to be looked for, among any number of rows. */
export type LongWalk<Item> = () => Promise<Item[]>;

/** Through which index a branch is read; `isLong`: any number of rows may be passed before a page is full. */
interface Plan {
  readonly branch: Branch;
  readonly by: string | undefined;
  readonly isLong: boolean;
}

/** The rows of one generation of a collection, as they lie in the file. */
export class StoredRows {
  private readonly statements = new Map<string, Statement>();
  private readonly table: string;

  constructor(
    private readonly db: Database,
    private readonly schema: CollectionSchema,
    generation: number,
    private readonly stretches = STRETCHES,
    private readonly tooManyToSort = TOO_MANY_TO_SORT,
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

  page(query: PageQuery): StoredRow[] | LongWalk<StoredRow> {
    const plans = this.plans(query);
    if (plans.some(({ isLong }) => isLong)) return () => this.walked(plans, query, toStored);
    const found = this.branches<RowColumns>(plans, query, 'rows');
    return inOrder(
      found.map((rows) => rows.map(toStored)),
      query,
    );
  }

  /** Without the rows themselves; only where a text is missing or no longer holds they are read after all. */
  list(query: ListQuery): ListedRow[] | LongWalk<ListedRow> {
    const plans = this.plans(query);
    if (plans.some(({ isLong }) => isLong)) return () => this.walked(plans, query, toListed);
    const found = this.branches<readonly [string | null]>(plans, query, 'listings');
    if (found.some((rows) => rows.some(([listing]) => listing === null))) return this.mixed(plans, query);
    const listed = found.map((rows) => rows.map(([listing]) => new Listing(listing ?? '')));
    return inOrder(listed, query);
  }

  private mixed(plans: readonly Plan[], query: ListQuery): ListedRow[] {
    const found = this.branches<RowColumns>(plans, query, 'rows');
    return inOrder<ListedRow>(
      found.map((rows) => rows.map(toListed)),
      query,
    );
  }

  /**
   * Stretch by stretch, and others in between. Several branches are one walk with all their tests, in which a row has one
   * place whatever happens to it meanwhile; only the deleted are a walk of their own, which comes last: a row that is
   * deleted meanwhile is in one of both.
   */
  private async walked<Item extends SortKey>(plans: readonly Plan[], query: ListQuery, made: (row: RowColumns) => Item) {
    const found: Item[][] = [];
    for (const walk of walksOf(plans)) found.push((await this.walk(walk, query)).map(made));
    return inOrder(found, query);
  }

  private async walk(walk: Walk, query: ListQuery): Promise<RowColumns[]> {
    const rows: RowColumns[] = [];
    const { first, longest } = this.stretches;
    let ahead = query;
    for (let stretch = first; ; stretch = Math.min(2 * stretch, longest)) {
      const ending = stretchEndQuery(this.schema, this.table, walk, ahead, stretch);
      const [end] = this.all<readonly [number, string]>(ending);
      const upTo = end ? { createdAt: end[0], sortId: end[1] } : null;
      rows.push(...this.all<RowColumns>(stretchQuery(this.schema, this.table, walk, ahead, upTo)));
      if (!upTo || rows.length >= query.limit) return rows;
      ahead = { ...query, after: upTo, limit: query.limit - rows.length };
      await nextTurn();
    }
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

  private branches<Columns>(plans: readonly Plan[], query: ListQuery, selection: Selection): Columns[][] {
    const read = () =>
      plans.map(({ branch, by }) => this.all<Columns>(pageQuery(this.schema, this.table, branch, query, selection, by)));
    return plans.length > 1 ? this.asOfOneInstant(read) : read();
  }

  private plans(query: ListQuery): readonly Plan[] {
    return branchesOf(query).map((branch) => this.plan(branch, query));
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
  private plan(branch: Branch, query: ListQuery): Plan {
    const exact = branch.equal.map(({ field }) => field);
    const tests = branch.others.filter(({ field }) => field !== 'createdAt');
    const ranges = tests.filter(({ op }) => op !== 'in').map(({ field }) => field);
    const [only] = exact;
    if (exact.length <= 1 && tests.length === 0) return { branch, by: only, isLong: false };
    let best: string | undefined = only;
    let fewest = this.tooManyToSort;
    for (const field of new Set([...exact, ...ranges])) {
      const count = this.count(branch, query, field, fewest);
      if (count < fewest) [best, fewest] = [field, count];
    }
    return { branch, by: best, isLong: fewest === this.tooManyToSort };
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

function walksOf(plans: readonly Plan[]): readonly Walk[] {
  return [0, 1].flatMap((deleted): Walk[] => {
    const ofOne = plans.filter(({ branch }) => branch.deleted === deleted);
    const [first, ...more] = ofOne.map(({ branch }) => branch);
    if (!first) return [];
    return [{ branches: [first, ...more], by: inOrderBy([first, ...more], ofOne) }];
  });
}

/** An index gives its rows in the list's order where one value of it is asked for. */
function inOrderBy(branches: Walk['branches'], plans: readonly Plan[]): string | undefined {
  const fields = inCommon(branches).equal.map(({ field }) => field);
  return fields.find((field) => plans.some(({ by }) => by === field)) ?? fields[0];
}

function toListed([stored, listing]: RowColumns): ListedRow {
  return listing === null ? asRow(toStored([stored, null])) : new Listing(listing);
}

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
