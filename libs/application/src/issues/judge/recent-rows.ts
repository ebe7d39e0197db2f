import type { ReadModels, StoredRow } from '@ports/read-models.port';
import { duePage } from '../../read-models/due-page.js';
import type { FreshRows } from '../../read-models/fresh-rows.js';
import type { Projection } from '../../read-models/projection.js';

const PAGE = 500;
/** Times of different processes are not in order, and rows may be late. */
const LOOKED_BACK_MS = 600_000;

interface RowsByTime<Row extends object> {
  readonly projection: Pick<Projection, 'schema' | 'categories'>;
  readonly collection: string;
  readonly field: keyof Row & string;
}

/** Rows by a time in them: at first all, later those of the last minutes. */
export class RecentRows<Row extends object> {
  private from: number | null = null;

  constructor(
    private readonly readModels: ReadModels,
    private readonly fresh: FreshRows,
    private readonly rows: RowsByTime<Row>,
  ) {}

  /** None while rows are missing: what a later event ended would seem to last. */
  async read(now: number): Promise<readonly StoredRow<Row>[]> {
    const { projection, collection, field } = this.rows;
    const isUpToDate = await this.fresh.caughtUp(projection);
    if (!isUpToDate && !(await this.readModels.isRestored(projection.schema.name))) return [];
    const found: StoredRow<Row>[] = [];
    let after = this.from === null ? null : { value: this.from, id: '' };
    do {
      const page = await duePage<Row>(this.readModels, [collection, field], Number.MAX_SAFE_INTEGER, PAGE, after);
      found.push(...page.rows);
      after = page.next;
    } while (after);
    // Rows that are behind are read again until they have caught up.
    if (isUpToDate) this.from = now - LOOKED_BACK_MS;
    return found;
  }
}
