import { LRUCache } from 'lru-cache';
import type {
  RowsSchema,
  DueKey,
  ListedRow,
  ListQuery,
  Look,
  LookQuery,
  PageQuery,
  ScanQuery,
  SortKey,
  StoredRow,
} from '@ports/read-models.port';
import type { Reading, Statement } from '../database.js';
import { column, quoted, tableOf } from './collection-columns.js';
import { boundedLook } from './bounded-look.js';
import { inOrder, type RowColumns, shown, toListed, toStored } from './row-columns.js';
import { Listing } from './listing.js';
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
/** With more rows, walking in list order finds a page sooner than sorting the rows of an index. */
const TOO_MANY_TO_SORT = 5000;
const MAX_GATHERED = 20_000;
/** Rows per turn of a walk. Most walks end soon; the longest stretch takes a few milliseconds. */
const STRETCHES = { first: 100, longest: 500 };

/** A search too long for one turn of the event loop. */
export type LongWalk<Found> = () => Promise<Found>;

interface Plan {
  readonly branch: Branch;
  readonly by: string | undefined;
  readonly rows: number;
  /** How many of them must be read, because the index does not cover every condition. */
  readonly tested: number;
}

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
    // Each commit empties the page cache; one transaction for all look-ups reads the upper pages once.
    return ids.length > 1 ? this.asOfOneInstant(read) : read();
  }

  page(query: PageQuery): StoredRow[] | LongWalk<StoredRow[]> {
    const plans = this.plans(query);
    const walk = this.walkOf(plans, query);
    if (walk) return async () => shown(await walk(), toStored, query);
    return shown(this.branches<RowColumns>(plans, query, 'rows'), toStored, query);
  }

  /** Reads listings alone, and rows only if a text is missing or outdated. */
  list(query: ListQuery): ListedRow[] | LongWalk<ListedRow[]> {
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

  look(query: LookQuery): Promise<Look> {
    const { schema, table, stretches } = this;
    return boundedLook({ schema, table, stretches }, query, (queries) =>
      this.asOfOneInstant(() => queries((one) => this.all(one))),
    );
  }

  private walkOf(plans: readonly Plan[], query: ListQuery): LongWalk<RowColumns[][]> | null {
    const [rows, tested] = [sumOf(plans.map((plan) => plan.rows)), sumOf(plans.map((plan) => plan.tested))];
    const isLong = plans.some((plan) => plan.tested >= this.tooManyToSort);
    if (!isLong && tested <= this.stretches.longest) return null;
    const isGathered = !isLong && rows <= MAX_GATHERED;
    return () => (isGathered ? this.gathered(plans, query) : this.walked(plans, query));
  }

  /**
   * Walks in stretches and yields in between. All branches share one walk, so a row that changes branches meanwhile is found at its one
   * place. Deleted rows have their own walk, the last one: a row deleted meanwhile is found by one of the two.
   */
  private async walked(plans: readonly Plan[], query: ListQuery): Promise<RowColumns[][]> {
    const found: RowColumns[][] = [];
    for (const [ofOne, branches] of byMark(plans)) {
      found.push(await this.walk({ branches, by: inOrderBy(branches, ofOne) }, query));
    }
    return found;
  }

  /** Walks only the rows whose sort keys the indexes give: a few thousand at most. */
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

  scan({ after, limit }: ScanQuery): StoredRow[] {
    const beyond = after === undefined ? '' : 'WHERE id > ?';
    const sql = `SELECT stored, listing FROM ${quoted(this.table)} ${beyond} ORDER BY id LIMIT ?`;
    return this.all<RowColumns>({ sql, values: [...(after === undefined ? [] : [after]), limit] }).map(toStored);
  }

  private branches<Columns>(plans: readonly Plan[], query: ListQuery, selection: Selection): Columns[][] {
    const read = () =>
      plans.map(({ branch, by }) => this.all<Columns>(pageQuery(this.schema, this.table, branch, query, selection, by)));
    return plans.length > 1 ? this.asOfOneInstant(read) : read();
  }

  private plans(query: ListQuery): readonly Plan[] {
    return branchesOf(query).map((branch) => this.plan(branch, query));
  }

  /** In one transaction: a row that moves between branches would otherwise be found in neither. */
  private asOfOneInstant<Found>(read: () => Found): Found {
    this.statement('BEGIN').run();
    try {
      return read();
    } finally {
      this.statement('COMMIT').run();
    }
  }

  /** Chooses the index that leaves the fewest rows to read; counts only if several compete. */
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

function byMark(plans: readonly Plan[]): readonly (readonly [readonly Plan[], Walk['branches']])[] {
  return [0, 1].flatMap((deleted): [readonly Plan[], Walk['branches']][] => {
    const ofOne = plans.filter(({ branch }) => branch.deleted === deleted);
    const [first, ...more] = ofOne.map(({ branch }) => branch);
    return first ? [[ofOne, [first, ...more]]] : [];
  });
}

/** A field with a single requested value: its index is in list order. */
function inOrderBy(branches: Walk['branches'], plans: readonly Plan[]): string | undefined {
  const fields = inCommon(branches).equal.map(({ field }) => field);
  return fields.find((field) => plans.some(({ by }) => by === field)) ?? fields[0];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
