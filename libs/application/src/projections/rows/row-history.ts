import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from '../../read-models/projection.js';
import { RowFold } from '../row-fold.js';
import type { MemberChange, RowChange } from './row.queries.js';

/** Folds one row as the projection does, and tells what each event changed in it. */
export class RowHistory {
  private readonly fold: RowFold;
  private before: StoredRow | null = null;

  constructor(
    { shared: _, ...projection }: Projection,
    private readonly id: string,
  ) {
    const ofRow = (record: Recorded) => projection.rowIds(record).filter((each) => each === id);
    const nothingStored = (ids: readonly string[]) => Promise.resolve(ids.map(() => null));
    const options = { cachedRows: 1, onSkipped: () => undefined };
    this.fold = new RowFold({ ...projection, rowIds: ofRow }, { getMany: nothingStored, getShared: nothingStored }, options);
  }

  /** As it is after the events taken; null before the first that made it. */
  get row(): StoredRow | null {
    return this.before;
  }

  /** Whether the events taken make this row. */
  leadsTo({ row, deleted }: StoredRow): boolean {
    const made = this.before;
    return made !== null && made.deleted === deleted && Object.keys(changesOf(made.row, row)).length === 0;
  }

  /** Null for an event that does not change the row, or that the projection cannot apply. */
  async take(record: Recorded): Promise<RowChange | null> {
    await this.fold.take([record]);
    const [{ rows } = { rows: [] }] = [...this.fold.nextBatches(1)];
    this.fold.markWritten();
    const after = rows.find(({ id }) => id === this.id);
    if (!after) return null;
    const changes = changesOf(this.before?.row ?? {}, after.row);
    this.before = after;
    return { record, changes };
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Members that are not there count as null. */
function changesOf(before: object, after: object): Readonly<Record<string, MemberChange>> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes: Record<string, MemberChange> = {};
  for (const name of names) {
    const [was, is] = [(before as Members)[name] ?? null, (after as Members)[name] ?? null];
    if (JSON.stringify(was) !== JSON.stringify(is)) changes[name] = [was, is];
  }
  return changes;
}
