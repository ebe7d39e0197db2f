import { LRUCache } from 'lru-cache';
import type { RowsSchema, DueKey, ListedRow, ListQuery, PageQuery, SortKey, StoredRow } from '@ports/read-models.port';
import type { Reading, Statement } from '../database.js';
import { column, quoted, tableOf } from './collection-columns.js';
import { Listing, asRow, textIn } from './listing.js';
import {
  type Branch,
  type Selection,
  type Walk,
  branchesOf,
  countQuery,
  inCommon,
  pageQuery,
  placedQuery,
  placesQuery,
  stretchEndQuery,
  stretchQuery,
} from './page-query.js';
import type { Query } from './row-tests.js';
import { setImmediate as nextTurn } from 'node:timers/promises';

const STATEMENTS_CACHED = 200;
/** From this many rows on, walking in the order of the list finds a page sooner than sorting the rows of an index. */
const TOO_MANY_TO_SORT = 5000;
/** The most sort keys that are read from indexes at once. */
const MAX_GATHERED = 20_000;
/** How many rows a walk looks at in one turn. Most walks end soon; the longest stretch takes a few milliseconds. */
const STRETCHES = { first: 100, longest: 500 };

/** A search that is too long for one turn of the event loop. */
export type LongWalk<Item> = () => Promise<Item[]>;

/** The index through which a branch is read, and what that costs. */
interface Plan {
  readonly branch: Branch;
  readonly by: string | undefined;
  /** How many rows the index gives, as far as they were counted. */
  readonly rows: number;
  /** How many of them have to be read, because the index does not answer every condition. */
  readonly tested: number;
}

/** Reads the rows of one generation of a collection from the file. */
export class StoredRows {
  private readonly statements = new LRUCache<string, Statement>({
    max: STATEMENTS_CACHED,
    memoMethod: (sql) => this.db.prepare(sql),
  });
  private readonly table: string;

  constructor(
    private readonly db: Reading,
    private readonly schema: RowsSchema,
    generation: number,
    private readonly stretches = STRETCHES,
    private readonly tooManyToSort = TOO_MANY_TO_SORT,
  ) {
    this.table = tableOf(schema.name, generation);
  }

  getMany(ids: readonly string[]): (StoredRow | null)[] {
    const find = this.statement(`SELECT stored, listing FROM ${quoted(this.table)} WHERE id = ?`);
    const read = () =>
      ids.map((id) => {
        const found = find.get(id) as unknown as RowColumns | undefined;
        return found ? toStored(found) : null;
      });
    // Each commit empties the page cache. One transaction for all look-ups reads the upper pages once.
    return ids.length > 1 ? this.asOfOneInstant(read) : read();
  }

  page(query: PageQuery): StoredRow[] | LongWalk<StoredRow> {
    const plans = this.plans(query);
    const walk = this.walkOf(plans, query);
    if (walk) return async () => shown(await walk(), toStored, query);
    return shown(this.branches<RowColumns>(plans, query, 'rows'), toStored, query);
  }

  /** Reads listings alone, and the rows only when a text is missing or no longer true. */
  list(query: ListQuery): ListedRow[] | LongWalk<ListedRow> {
    const plans = this.plans(query);
    const walk = this.walkOf(plans, query);
    if (walk) return async () => shown(await walk(), toListed, query);
    const found = this.branches<readonly [string | null]>(plans, query, 'listings');
    if (found.some((rows) => rows.some(([listing]) => listing === null))) {
      return shown(this.branches<RowColumns>(plans, query, 'rows'), toListed, query);
    }
    const listed = found.map((rows) => rows.map(([listing]) => new Listing(listing ?? '')));
    return inOrder(listed, query);
  }

  /** The walk that finds the page when it is too long for one turn of the event loop; null when it is not. */
  private walkOf(plans: readonly Plan[], query: ListQuery): LongWalk<RowColumns[]> | null {
    const [rows, tested] = [sumOf(plans.map((plan) => plan.rows)), sumOf(plans.map((plan) => plan.tested))];
    const isLong = plans.some((plan) => plan.tested >= this.tooManyToSort);
    if (!isLong && tested <= this.stretches.longest) return null;
    const isGathered = !isLong && rows <= MAX_GATHERED;
    return () => (isGathered ? this.gathered(plans, query) : this.walked(plans, query));
  }

  /**
   * Walks stretch by stretch, and gives up its turn in between. All branches share one walk, so a row that changes branches
   * meanwhile is found at its one place. Deleted rows have a walk of their own, which comes last: a row that is deleted
   * meanwhile is found by one of both.
   */
  private async walked(plans: readonly Plan[], query: ListQuery): Promise<RowColumns[][]> {
    const found: RowColumns[][] = [];
    for (const [ofOne, branches] of byMark(plans)) {
      found.push(await this.walk({ branches, by: inOrderBy(branches, ofOne) }, query));
    }
    return found;
  }

  /** Walks only through the rows whose sort keys the indexes give: a few thousand at most. */
  private async gathered(plans: readonly Plan[], query: ListQuery): Promise<RowColumns[][]> {
    const found: RowColumns[][] = [];
    for (const [ofOne, branches] of byMark(plans)) {
      const rows: RowColumns[] = [];
      const places = this.placesOf(ofOne, query);
      for (let from = 0; from < places.length && rows.length < query.limit; from += this.stretches.first) {
        const ahead = { ...query, limit: query.limit - rows.length };
        const next = places.slice(from, from + this.stretches.first);
        rows.push(...this.all<RowColumns>(placedQuery(this.schema, this.table, branches, ahead, next)));
        await nextTurn();
      }
      found.push(rows);
    }
    return found;
  }

  private placesOf(plans: readonly Plan[], query: ListQuery): readonly SortKey[] {
    const queries = plans.map(({ branch, by = '' }) => placesQuery(this.schema, this.table, branch, query, by));
    const once = new Map(queries.map((one) => [JSON.stringify(one), one]));
    const read = () => [...once.values()].map((one) => this.all<readonly [number, string]>(one));
    const places = once.size > 1 ? this.asOfOneInstant(read) : read();
    const keys = places.map((some) => some.map(([createdAt, sortId]) => ({ createdAt, sortId })));
    return inOrder([[], ...keys], { ...query, limit: Infinity });
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

  /** Reads in one transaction: a row that moves from one branch to another in between would be found in neither. */
  private asOfOneInstant<Found>(read: () => Found): Found {
    this.statement('BEGIN').run();
    try {
      return read();
    } finally {
      this.statement('COMMIT').run();
    }
  }

  /** Chooses the index that leaves the fewest rows to read. Rows are counted only where several indexes compete. */
  private plan(branch: Branch, query: ListQuery): Plan {
    const exact = branch.equal.map(({ field }) => field);
    const tests = branch.others.filter(({ field }) => field !== 'createdAt');
    const ranges = tests.filter(({ op }) => op !== 'in').map(({ field }) => field);
    const [only] = exact;
    if (exact.length <= 1 && tests.length === 0) return { branch, by: only, rows: Infinity, tested: 0 };
    let best: string | undefined = only;
    let fewest = this.tooManyToSort;
    for (const field of new Set([...exact, ...ranges])) {
      const count = this.count(branch, query, field, fewest);
      if (count < fewest) [best, fewest] = [field, count];
    }
    const isTold = new Set([...exact, ...tests.map(({ field }) => field)]).size === 1 && fewest < this.tooManyToSort;
    return { branch, by: best, rows: fewest, tested: isTold ? 0 : fewest };
  }

  private count(branch: Branch, query: PageQuery, field: string, enough: number): number {
    const { sql, values } = countQuery(this.schema, this.table, branch, query, field, enough);
    return (this.statement(sql).get(...values) as unknown as [number])[0];
  }

  private all<Columns>({ sql, values }: Query): Columns[] {
    return this.statement(sql).all(...values) as unknown as Columns[];
  }

  private statement(sql: string): Statement {
    return this.statements.memo(sql);
  }
}

type RowColumns = readonly [stored: string, listing: string | null];

/** The plans and branches of rows that are not deleted, then those of deleted rows. */
function byMark(plans: readonly Plan[]): readonly (readonly [readonly Plan[], Walk['branches']])[] {
  return [0, 1].flatMap((deleted): [readonly Plan[], Walk['branches']][] => {
    const ofOne = plans.filter(({ branch }) => branch.deleted === deleted);
    const [first, ...more] = ofOne.map(({ branch }) => branch);
    return first ? [[ofOne, [first, ...more]]] : [];
  });
}

/** A field of which one value is asked for: its index gives the rows in the order of the list. */
function inOrderBy(branches: Walk['branches'], plans: readonly Plan[]): string | undefined {
  const fields = inCommon(branches).equal.map(({ field }) => field);
  return fields.find((field) => plans.some(({ by }) => by === field)) ?? fields[0];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function toListed([stored, listing]: RowColumns): ListedRow {
  return listing === null ? asRow(toStored([stored, null])) : new Listing(listing);
}

function toStored([stored, listing]: RowColumns): StoredRow {
  const row = JSON.parse(stored) as StoredRow;
  return listing === null ? row : { text: textIn(listing), ...row };
}

function shown<Item extends SortKey>(found: readonly RowColumns[][], made: (row: RowColumns) => Item, query: PageQuery): Item[] {
  return inOrder(
    found.map((rows) => rows.map(made)),
    query,
  );
}

/** Merges what the branches found, each in order. A row that several branches found counts once. */
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
